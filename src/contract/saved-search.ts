import { type Static, Type } from 'typebox';
import { HexIdSchema, TimestampSchema } from './identifiers.ts';
import { WhereLanguageSchema } from './series.ts';

/** Every limit on what a client may send about saved searches (contract §8). */
export const savedSearchLimits = {
  nameLength: 1024,
  selectLength: 4096,
  whereLength: 8192,
  orderByLength: 1024,
  tags: 50,
  tagLength: 32,
  filters: 100,
  conditionLength: 8192,
} as const;

const text = (maxLength: number, description: string) => Type.String({ maxLength, description });
const Condition = Type.String({ maxLength: savedSearchLimits.conditionLength });

const ConditionFilter = Type.Object({
  type: Type.Optional(Type.Enum(['sql', 'lucene'] as const)),
  condition: Condition,
});
const TreeFilter = Type.Object({
  type: Type.Literal('sql_ast'),
  operator: Type.String({ maxLength: 32 }),
  left: Condition,
  right: Condition,
});
/** Beyond the schema: a new one must be a choice or a range of one field (`check-saved-search.ts`). */
export const SavedSearchFilterSchema = Type.Union([ConditionFilter, TreeFilter], { title: 'SavedSearchFilter' });
export type SavedSearchFilter = Static<typeof SavedSearchFilterSchema>;

const Tags = Type.Array(Type.String({ maxLength: savedSearchLimits.tagLength }), { maxItems: savedSearchLimits.tags });
const Filters = Type.Array(SavedSearchFilterSchema, { maxItems: savedSearchLimits.filters });
const Name = Type.String({ minLength: 1, maxLength: savedSearchLimits.nameLength });

/** Body of create and of replace: what is absent has its default afterwards. */
export const SavedSearchInputSchema = Type.Object(
  {
    name: Name,
    sourceId: HexIdSchema,
    select: Type.Optional(
      text(savedSearchLimits.selectLength, 'Columns; if empty, the default columns of the source.'),
    ),
    where: Type.Optional(text(savedSearchLimits.whereLength, 'Filter in `whereLanguage`; empty matches everything.')),
    whereLanguage: Type.Optional(WhereLanguageSchema),
    orderBy: Type.Optional(text(savedSearchLimits.orderByLength, 'Columns with ASC or DESC; if empty, newest first.')),
    tags: Type.Optional(Tags),
    filters: Type.Optional(Filters),
  },
  { title: 'SavedSearchInput' },
);
export type SavedSearchInput = Static<typeof SavedSearchInputSchema>;

export const SavedSearchSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    sourceId: Type.String(),
    select: Type.String(),
    where: Type.String(),
    whereLanguage: WhereLanguageSchema,
    orderBy: Type.String(),
    tags: Tags,
    filters: Filters,
    teamId: Type.String(),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  { title: 'SavedSearch' },
);
export type SavedSearchRecord = Static<typeof SavedSearchSchema>;

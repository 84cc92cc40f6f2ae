import { type Static, Type } from 'typebox';
import { HexIdSchema } from './identifiers.ts';
import { WhereLanguageSchema } from './series.ts';
import { WarningSchema } from './warning.ts';

/** Every limit on one search (contract §7). */
export const searchLimits = {
  whereLength: 8192,
  selectLength: 4096,
  orderByLength: 1024,
  columns: 100,
  results: 2000,
  resultsDefault: 100,
  offset: 10_000,
} as const;

const Instant = (which: string) => Type.Optional(Type.String({ maxLength: 64, description: which }));

/** Body of `POST /search`. */
export const SearchRequestSchema = Type.Object(
  {
    sourceId: HexIdSchema,
    startTime: Instant('Start of the range, included: an ISO 8601 date and time. Default: 15 minutes before the end.'),
    endTime: Instant('End of the range, not included: an ISO 8601 date and time. Default: now.'),
    where: Type.Optional(
      Type.String({ maxLength: searchLimits.whereLength, description: 'Filter; Lucene by default.' }),
    ),
    whereLanguage: Type.Optional(WhereLanguageSchema),
    select: Type.Optional(
      Type.String({
        maxLength: searchLimits.selectLength,
        description: 'Comma-separated columns and expressions, each with an optional alias: a, b AS c.',
      }),
    ),
    orderBy: Type.Optional(
      Type.String({ maxLength: searchLimits.orderByLength, description: 'Columns with ASC or DESC; newest first.' }),
    ),
    maxResults: Type.Optional(Type.Integer({ minimum: 1, maximum: searchLimits.results, description: '100.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: searchLimits.offset, description: '0.' })),
  },
  { title: 'SearchRequest' },
);
export type SearchRequest = Static<typeof SearchRequestSchema>;

export const SearchAnswerSchema = Type.Object(
  {
    data: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'Rows keyed by column or alias; times as ISO 8601, integers of 64 bits or more as text.',
    }),
    rows: Type.Integer({ description: 'Number of rows.' }),
    meta: Type.Object({
      rowsRead: Type.Integer(),
      elapsedMs: Type.Number(),
      warnings: Type.Optional(
        Type.Array(WarningSchema, {
          description: 'Names that are neither a column nor an attribute of an event in the range.',
        }),
      ),
    }),
  },
  { title: 'SearchAnswer' },
);
export type SearchAnswer = Static<typeof SearchAnswerSchema>;

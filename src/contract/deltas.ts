import { type Static, Type } from 'typebox';
import { completionLimits } from './completion.ts';
import { HexIdSchema } from './identifiers.ts';
import { WhereLanguageSchema } from './series.ts';

export const deltaLimits = { attributes: 40, values: 12, valueLength: 256 } as const;

const Instant = Type.Optional(
  Type.Union([Type.Integer(), Type.String({ maxLength: 64 })], {
    description: 'Unix milliseconds or an ISO 8601 date and time.',
  }),
);
const asked = {
  startTime: Instant,
  endTime: Instant,
  where: Type.Optional(Type.String({ maxLength: completionLimits.whereLength })),
  whereLanguage: Type.Optional(WhereLanguageSchema),
};

/** Body of `POST /search/deltas`. */
export const DeltasRequestSchema = Type.Object(
  {
    sourceId: HexIdSchema,
    ...asked,
    selection: Type.Object(asked, {
      description:
        'The events that are compared with all others of the range that match `where`: its times default to those of the range and must lie within them.',
    }),
  },
  { title: 'DeltasRequest' },
);
export type DeltasRequest = Static<typeof DeltasRequestSchema>;

const Side = Type.Object({
  count: Type.Integer({ description: 'Events, of those that were read.' }),
  share: Type.Number({ description: 'Of all events of this side that were read, 0 to 1.' }),
});

/** A column or attribute whose values are distributed differently in the selection and in the rest. */
export const AttributeDeltaSchema = Type.Object(
  {
    attribute: Type.String({ description: 'As SQL filters write it.' }),
    name: Type.String({ description: 'As Lucene filters write it.' }),
    difference: Type.Number({ description: 'The largest difference between the shares of a value, 0 to 1.' }),
    values: Type.Array(
      Type.Object({
        value: Type.Union([Type.String(), Type.Null()], { description: 'null: events without the attribute.' }),
        selection: Side,
        rest: Side,
      }),
      { description: 'Those whose shares differ most, first.' },
    ),
  },
  { title: 'AttributeDelta' },
);
export type AttributeDelta = Static<typeof AttributeDeltaSchema>;

const SideMeta = Type.Object({
  events: Type.Integer({ description: 'Events that were read and compared.' }),
  sampled: Type.Boolean({ description: 'True if they are those of some parts of the range, evenly spread.' }),
});

export const DeltasMetaSchema = Type.Object(
  {
    selection: SideMeta,
    rest: SideMeta,
    attributes: Type.Integer({
      description: 'Columns and attributes that were compared; those that differ no more than by chance are left out.',
    }),
    rowsRead: Type.Integer(),
    elapsedMs: Type.Number(),
  },
  { title: 'DeltasMeta' },
);
export type DeltasMeta = Static<typeof DeltasMetaSchema>;

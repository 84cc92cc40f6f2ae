import { type Static, type TSchema, Type } from 'typebox';
import { ChartMetaSchema } from './chart.ts';
import { ExplainSchema } from './explain.ts';
import { InstantMs } from './instant-ms.ts';
import { NumberFormatSchema } from './number-format.ts';
import { WhereLanguageSchema, WhereSchema } from './series.ts';
import { TileInputSchema } from './tile.ts';
import { tileQueryLimits } from './tile-query-limits.ts';
import { TimeZoneName } from './time-zone-name.ts';
import { TileVariableSchema, variableLimits } from './variables.ts';

/** The value of a dashboard's filter: a condition, or an expression with the values that it may have. */
export const TileFilterSchema = Type.Object(
  {
    sourceId: Type.Optional(Type.String({ description: 'Applies to tiles of this source only; absent = every tile.' })),
    type: Type.Optional(
      Type.Enum(['sql', 'lucene'] as const, { description: 'Language of `condition`. Default: lucene.' }),
    ),
    condition: Type.Optional(WhereSchema),
    expression: Type.Optional(WhereSchema),
    values: Type.Optional(
      Type.Array(Type.String({ maxLength: tileQueryLimits.valueLength }), { maxItems: tileQueryLimits.filterValues }),
    ),
  },
  { title: 'TileFilter' },
);
export type TileFilter = Static<typeof TileFilterSchema>;

const asked = (tile: TSchema) => ({
  startTime: InstantMs('Start of the range, included. Unix time in milliseconds.'),
  endTime: InstantMs('End of the range, not included. Unix time in milliseconds.'),
  granularity: Type.Optional(
    Type.String({
      maxLength: 32,
      description:
        'Bucket width of tiles over time, <n><s|m|h|d>, or auto (the default): about 60 buckets; for metrics, never narrower than their sampling interval. A heatmap has at most 240 buckets: a multiple of the width where it would have more.',
    }),
  ),
  timezone: Type.Optional(
    TimeZoneName(
      'IANA name of a time zone: buckets of whole days start at its midnight, also on days of 23 and 25 hours. Shorter buckets are aligned to UTC. Default: UTC.',
    ),
  ),
  tiles: Type.Array(Type.Object({ ref: Type.String({ maxLength: tileQueryLimits.refLength }), tile }), {
    minItems: 1,
    maxItems: tileQueryLimits.tiles,
    description: `With at most ${tileQueryLimits.textLength} characters of filters and expressions together; tiles beyond are answered with an error.`,
  }),
  filters: Type.Optional(Type.Array(TileFilterSchema, { maxItems: tileQueryLimits.filters })),
  where: Type.Optional(WhereSchema),
  whereLanguage: Type.Optional(WhereLanguageSchema),
  variables: Type.Optional(
    Type.Array(TileVariableSchema, {
      maxItems: variableLimits.variables,
      description:
        'Values of the variables that tiles name, as a dollar sign and the name, in their filters, expressions, SQL, aliases and texts. Other dollar signs are text.',
    }),
  ),
  explain: ExplainSchema,
});

/** Body of `POST /charts/tiles`: what a dashboard shows, in one request. Tiles are validated one by one. */
export const TilesRequestSchema = Type.Object(asked(Type.Unknown()), { title: 'TilesRequest' });
export const DocumentedTilesRequestSchema = Type.Object(asked(TileInputSchema), { title: 'TilesRequest' });
export type TilesRequest = Omit<Static<typeof TilesRequestSchema>, 'tiles'> & {
  tiles: { ref: string; tile: unknown }[];
};

const cell = Type.Union([Type.String(), Type.Number(), Type.Null()]);
const numberFormat = Type.Optional(NumberFormatSchema);

/** Unix milliseconds and the value. */
const TilePointSchema = Type.Unsafe<[number, number | null]>(
  Type.Array(Type.Union([Type.Number(), Type.Null()]), { minItems: 2, maxItems: 2 }),
);

export const TileSeriesAnswerSchema = Type.Object(
  {
    name: Type.String(),
    group: Type.Array(Type.String()),
    other: Type.Optional(
      Type.Literal(true, { description: 'All groups that were left out, with `otherGroup`; `group` is empty.' }),
    ),
    select: Type.Integer({
      description: 'Index of the series or select item of the tile; formulas are numbered after them.',
    }),
    numberFormat,
    previous: Type.Optional(
      Type.Literal(true, { description: 'Values of the previous period, shifted to the times of this one.' }),
    ),
    points: Type.Array(TilePointSchema),
  },
  { title: 'TileSeriesAnswer' },
);
export type TileSeriesAnswer = Static<typeof TileSeriesAnswerSchema>;

export const TileColumnSchema = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['group', 'value'] as const),
    type: Type.Optional(
      Type.Literal('time', { description: 'Its cells are instants in UTC: ISO 8601, or `YYYY-MM-DD hh:mm:ss`.' }),
    ),
    numberFormat,
  },
  { title: 'TileColumn' },
);
export type TileColumn = Static<typeof TileColumnSchema>;

/** The rows of a heatmap, and its cells with events. */
export const TileHeatmapSchema = Type.Object(
  {
    scale: Type.Enum(['linear', 'log'] as const, {
      description:
        'That of the tile, else log if no value is negative and the largest is twenty times the mean or more.',
    }),
    edges: Type.Array(Type.Number(), {
      description:
        'Ascending; row n has the values from edge n, included, to edge n + 1, not included. On a log scale, values that are not positive are in a row below the others. Empty if there are no values.',
    }),
    cells: Type.Array(
      Type.Unsafe<[number, number, number | null]>(
        Type.Array(Type.Union([Type.Number(), Type.Null()]), { minItems: 3, maxItems: 3 }),
      ),
      { description: 'By bucket, then row: start of the bucket in Unix milliseconds, row from 0, and the amount.' },
    ),
    amount: Type.String({ description: 'What the cells hold: `count()` or the `countExpression` of the tile.' }),
    numberFormat,
  },
  { title: 'TileHeatmap' },
);
export type TileHeatmap = Static<typeof TileHeatmapSchema>;

/** Of one heatmap. */
export const heatmapBucketsMax = 240;

export const TileProblemSchema = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    position: Type.Optional(Type.Integer({ description: 'Character of the text at `path`, from 0.' })),
    path: Type.Optional(Type.String({ description: 'Path of the problem in the tile or in the request.' })),
  },
  { title: 'TileProblem' },
);
export type TileProblem = Static<typeof TileProblemSchema>;

/** One tile's answer: `series` over time, `heatmap`, `columns` and `rows` otherwise, `content`, or `error`. */
export const TileAnswerSchema = Type.Object(
  {
    ref: Type.String(),
    displayType: Type.Optional(Type.String()),
    granularity: Type.Optional(Type.String()),
    granularityMs: Type.Optional(Type.Integer()),
    samplingMs: Type.Optional(
      Type.Number({
        description:
          'Sampling interval of the metrics shown, the longest if there are several; absent if unknown or not of metrics. Points that are at most two intervals apart belong to one line.',
      }),
    ),
    series: Type.Optional(Type.Array(TileSeriesAnswerSchema)),
    columns: Type.Optional(Type.Array(TileColumnSchema)),
    rows: Type.Optional(Type.Array(Type.Array(cell))),
    hasOther: Type.Optional(
      Type.Literal(true, {
        description: 'The last row is all groups that were left out, with `otherGroup`; its group cells are null.',
      }),
    ),
    heatmap: Type.Optional(TileHeatmapSchema),
    content: Type.Optional(Type.String()),
    meta: Type.Optional(Type.Partial(ChartMetaSchema)),
    error: Type.Optional(TileProblemSchema),
  },
  { title: 'TileAnswer' },
);
export type TileAnswer = Static<typeof TileAnswerSchema>;

import { type Static, Type } from 'typebox';
import { ExplainedReadSchema, ExplainSchema } from './explain.ts';
import { InstantMs } from './instant-ms.ts';
import { ChartSeriesSchema } from './series.ts';
import { TimeZoneName } from './time-zone-name.ts';
import { WarningSchema } from './warning.ts';

/** Every limit on one chart request (decisions C3 to C5). */
export const chartLimits = {
  series: 10,
  buckets: 10_000,
  groups: 1000,
  groupsMax: 10_000,
} as const;

const instant = (which: string) => InstantMs(`${which} Unix time in milliseconds.`);

export const OtherGroupSchema = Type.Optional(
  Type.Boolean({
    description:
      'true: the groups that a limit leaves out are one more group, so that all of them add up to the whole. For count, sum, increase and rate, which add up.',
  }),
);

/** Body of `POST /charts/series` (seed §Charts), with the extensions `fill` and `seriesLimit`. */
export const ChartRequestSchema = Type.Object(
  {
    startTime: instant('Start of the range, included.'),
    endTime: instant('End of the range, not included.'),
    granularity: Type.Optional(
      Type.String({
        maxLength: 32,
        description:
          'Bucket width, <n><s|m|h|d>, or auto (the default): about 60 buckets; for metrics, never narrower than their sampling interval.',
      }),
    ),
    timezone: Type.Optional(
      TimeZoneName(
        'IANA name of a time zone: buckets of whole days start at its midnight, also on days of 23 and 25 hours. Shorter buckets are aligned to UTC. Default: UTC.',
      ),
    ),
    series: Type.Array(ChartSeriesSchema, { minItems: 1, maxItems: chartLimits.series }),
    seriesReturnType: Type.Optional(
      Type.Enum(['ratio', 'column'] as const, {
        description: 'ratio: adds series 0 divided by series 1. column: other key names, one key per group field.',
      }),
    ),
    fill: Type.Optional(
      Type.Enum(['null', 'zero'] as const, { description: 'Value of empty buckets; by default they are omitted.' }),
    ),
    seriesLimit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: chartLimits.groupsMax,
        description: 'Maximum number of groups, largest first. Default: 1000.',
      }),
    ),
    otherGroup: OtherGroupSchema,
    explain: ExplainSchema,
  },
  { title: 'ChartRequest' },
);
export type ChartRequest = Static<typeof ChartRequestSchema>;

/** One (bucket, group); a series without rows there has no key. */
export const ChartRowSchema = Type.Object(
  {
    ts_bucket: Type.Integer({ description: 'Start of the bucket, Unix time in milliseconds.' }),
    group: Type.Array(Type.String()),
    other: Type.Optional(
      Type.Literal(true, { description: 'All groups that were left out, with `otherGroup`; `group` is empty.' }),
    ),
    'series_0.data': Type.Optional(Type.Union([Type.Number(), Type.Null()])),
    ratio: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
  },
  { title: 'ChartRow', additionalProperties: true },
);

export const ChartMetaSchema = Type.Object(
  {
    granularity: Type.String({ description: 'The bucket width used.' }),
    rowsRead: Type.Integer({ description: 'Rows read from the store for this answer.' }),
    bytesRead: Type.Integer(),
    elapsedMs: Type.Number({ description: 'Time in the store: that of the slowest statement.' }),
    cache: Type.Enum(['hit', 'partial', 'miss', 'off'] as const, {
      description: 'How much of the answer came from the cache: all, some or none; off if it cannot be cached.',
    }),
    exact: Type.Boolean({ description: 'True if every value is exact.' }),
    approximate: Type.Boolean({ description: 'The opposite of exact.' }),
    truncated: Type.Boolean({ description: 'True if smaller groups were left out.' }),
    groupsTotal: Type.Optional(Type.Integer({ description: 'Groups before any were left out.' })),
    warnings: Type.Optional(
      Type.Array(WarningSchema, {
        description: 'Things to look at although the query was answered; absent if there are none.',
      }),
    ),
    explain: Type.Optional(
      Type.Array(ExplainedReadSchema, { description: 'How the answer was read; present if `explain` was requested.' }),
    ),
  },
  { title: 'ChartMeta' },
);
export type ChartMeta = Static<typeof ChartMetaSchema>;

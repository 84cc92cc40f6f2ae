import { type Static, Type } from 'typebox';
import { alertStates } from './alert.ts';
import { deliveryFields, GroupSchema } from './alert-log.ts';
import { HexIdSchema, TimestampSchema } from './identifiers.ts';
import { rejectionKeyword } from './rejected-key.ts';
import { trendLimits } from './trend-limits.ts';

const hexId = '[0-9a-f]{24}';
const idsText = `1 to ${trendLimits.alerts} ids of alerts, separated by commas`;

export const AlertTrendsQuerySchema = Type.Object({
  ids: Type.String({
    pattern: `^${hexId}(,${hexId}){0,${trendLimits.alerts - 1}}$`,
    maxLength: trendLimits.alerts * 25 - 1,
    description: `${idsText}; ids of alerts that do not exist are ignored.`,
    examples: ['65f5e4a3b9e77c001a123456,65f5e4a3b9e77c001a123457'],
    [rejectionKeyword]: `must be ${idsText}; an id is 24 lower-case hex characters`,
  }),
});

const ValueSchema = Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'null = no data.' });

/** What a list shows of an alert beside its rule. */
export const AlertTrendSchema = Type.Object(
  {
    id: HexIdSchema,
    windows: Type.Array(
      Type.Object({
        windowStart: TimestampSchema,
        windowEnd: TimestampSchema,
        value: ValueSchema,
        state: Type.Enum(alertStates),
      }),
      {
        maxItems: trendLimits.windows,
        description:
          'The last evaluated windows, newest last; fewer for an alert with very many groups. For a grouped alert, the value of the deciding group.',
      },
    ),
    last: Type.Optional(
      Type.Object(
        {
          group: GroupSchema,
          value: ValueSchema,
          suppressed: Type.Optional(
            Type.Enum(['silenced', 'acknowledged'] as const, {
              description: 'Why the window sent no notification although one was due.',
            }),
          ),
        },
        { description: 'The deciding group of the last window; absent until the first evaluation.' },
      ),
    ),
    notifications: Type.Array(Type.Object({ webhookId: Type.String(), ...deliveryFields }), {
      description: 'The newest message to each channel that has been tried or given up, otherwise the newest.',
    }),
  },
  { title: 'AlertTrend' },
);
export type AlertTrendRecord = Static<typeof AlertTrendSchema>;

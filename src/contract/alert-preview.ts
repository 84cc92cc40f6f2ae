import { type Static, Type } from 'typebox';
import { AlertInputSchema, alertStates } from './alert.ts';
import { WarningSchema } from './warning.ts';

/** Thirty days of one-minute windows. */
export const previewWindowsMax = 43_200;

const instant = (description: string) => Type.Integer({ minimum: 0, maximum: 253_402_300_799_999, description });
const value = Type.Unsafe<number | null>({ type: ['number', 'null'], description: 'null = no data.' });
const end = Type.Unsafe<number | null>({
  type: ['integer', 'null'],
  description: 'End of the window that resolved it; null if it still fires at the end of the range.',
});

/** Body of `POST /alerts/preview`. Channels need not be chosen yet. */
export const AlertPreviewBodySchema = Type.Object(
  {
    alert: AlertInputSchema,
    compareTo: Type.Optional(AlertInputSchema),
    startTime: instant('Start of the range, Unix time in milliseconds.'),
    endTime: instant('End of the range, Unix time in milliseconds; later than now counts as now.'),
  },
  { title: 'AlertPreviewRequest' },
);
export type AlertPreviewBody = Static<typeof AlertPreviewBodySchema>;

const PreviewGroupSchema = Type.Array(Type.Object({ key: Type.String(), value: Type.String() }));

const previewed = {
  windows: Type.Array(
    Type.Object({
      start: instant('Start of the window.'),
      end: instant('End of the window.'),
      value,
      state: Type.Enum(alertStates),
    }),
    { description: 'Every whole window of the range. For a grouped tile, the value of the worst group.' },
  ),
  groups: Type.Optional(
    Type.Array(
      Type.Object({
        group: PreviewGroupSchema,
        firings: Type.Array(Type.Object({ start: instant('End of the window that started it.'), end })),
      }),
      { description: 'Groups that fired at least once; for grouped tiles only.' },
    ),
  ),
  firings: Type.Array(
    Type.Object({
      startedAt: instant('End of the window that started it.'),
      endedAt: end,
      value,
      group: Type.Optional(PreviewGroupSchema),
    }),
    { description: 'Ordered by start.' },
  ),
  notifications: Type.Integer({ description: 'Messages that would have been sent: one per event and channel.' }),
};

export const AlertPreviewSchema = Type.Object(
  {
    ...previewed,
    compare: Type.Optional(Type.Object(previewed, { description: 'The same for `compareTo`.' })),
    differences: Type.Optional(
      Type.Array(
        Type.Object({
          start: instant('Start of the difference.'),
          end: instant('End of the difference.'),
          firing: Type.Enum(['alert', 'compareTo'] as const, { description: 'The rule that fires in this range.' }),
        }),
        { description: 'Time ranges in which only one of the two rules fires.' },
      ),
    ),
  },
  { title: 'AlertPreview' },
);
export type AlertPreviewRecord = Static<typeof AlertPreviewSchema>;

export const AlertPreviewMetaSchema = Type.Object({
  rowsRead: Type.Integer({ description: 'Rows read from the telemetry store.' }),
  elapsedMs: Type.Number({ description: 'Time in the telemetry store.' }),
  truncated: Type.Boolean({
    description: 'True if the tile has more groups than can be evaluated; the smaller ones are left out.',
  }),
  warnings: Type.Optional(
    Type.Array(WarningSchema, {
      description: 'Things to look at in what the alert watches; absent if there are none.',
    }),
  ),
});
export type AlertPreviewMeta = Static<typeof AlertPreviewMetaSchema>;

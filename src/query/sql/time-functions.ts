import { type AllowedFunction, family } from './allowed-function.ts';

export const intervalUnits = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

function perUnit(make: (unit: string) => AllowedFunction[]): AllowedFunction[] {
  return intervalUnits.flatMap((unit) => make(`${unit.charAt(0).toUpperCase()}${unit.slice(1)}`));
}

/** All in UTC where no zone is given. */
export const timeFunctions: readonly AllowedFunction[] = [
  ...family('now', [], 'time', { volatile: true }),
  ...family('today yesterday', [], 'time', { volatile: true }),
  ...family('toDateTime toDate', ['any', 'zone'], 'time', { least: 1 }),
  ...family('parseDateTimeBestEffortOrNull', ['text', 'zone'], 'time', { least: 1, nullable: true }),
  ...family('parseDateTimeBestEffort', ['text', 'zone'], 'time', {
    printed: 'parseDateTimeBestEffortOrNull',
    least: 1,
    nullable: true,
  }),
  ...family('fromUnixTimestamp', ['number'], 'time'),
  ...family('fromUnixTimestamp64Milli fromUnixTimestamp64Micro fromUnixTimestamp64Nano', ['number'], 'time'),
  ...family('toUnixTimestamp', ['time'], 'number'),
  ...family('toUnixTimestamp64Milli toUnixTimestamp64Micro toUnixTimestamp64Nano', ['time'], 'integer'),
  ...family(
    'toStartOfSecond toStartOfMinute toStartOfFiveMinutes toStartOfTenMinutes toStartOfFifteenMinutes toStartOfHour',
    ['time', 'zone'],
    'time',
    { least: 1 },
  ),
  ...family('toStartOfDay toStartOfWeek toStartOfMonth toStartOfQuarter toStartOfYear toMonday', ['time'], 'time'),
  ...family('toStartOfInterval', ['time', 'interval'], 'time'),
  ...family('date_trunc', ['unit', 'time'], 'time', { printed: 'dateTrunc' }),
  ...family('dateTrunc', ['unit', 'time'], 'time'),
  ...family('dateDiff', ['unit', 'time', 'time'], 'number'),
  ...family(
    'toSecond toMinute toHour toDayOfWeek toDayOfMonth toDayOfYear toMonth toQuarter toYear',
    ['time'],
    'number',
  ),
  ...family('toISOWeek toYYYYMM toYYYYMMDD toMillisecond', ['time'], 'number'),
  ...family('formatDateTime', ['time', 'format', 'zone'], 'text', { least: 2 }),
  ...family('toTimeZone', ['time', 'zone'], 'time'),
  ...perUnit((unit) => family(`toInterval${unit}`, ['number'], 'interval')),
  ...perUnit((unit) => [
    ...family(`add${unit}s`, ['time', 'number'], 'time'),
    ...family(`subtract${unit}s`, ['time', 'number'], 'time'),
  ]),
];

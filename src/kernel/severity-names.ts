/** Names of the ranges of four that OpenTelemetry's severity numbers form, from 1. */
export const severityRanges = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'] as const;

/** `error2`, `error3` and `error4` with their numbers, of each range. */
const finerLevels = severityRanges.flatMap((name, range) =>
  [2, 3, 4].map((level): [string, number] => [`${name.toLowerCase()}${level}`, range * 4 + level]),
);

/**
 * Words that logging libraries write, in small letters, with their number in OpenTelemetry's data model (its appendix
 * on other formats). Whole words only: nothing is guessed from a body.
 */
export const severityNumbers: ReadonlyMap<string, number> = new Map([
  ['trace', 1],
  ['verbose', 1],
  ['finest', 1],
  ['finer', 2],
  ['debug', 5],
  ['fine', 5],
  ['config', 8],
  ['info', 9],
  ['information', 9],
  ['informational', 9],
  ['notice', 10],
  ['warn', 13],
  ['warning', 13],
  ['error', 17],
  ['err', 17],
  ['severe', 17],
  ['crit', 21],
  ['critical', 21],
  ['alert', 19],
  ['fatal', 21],
  ['panic', 21],
  ['emerg', 21],
  ['emergency', 21],
  ...finerLevels,
]);

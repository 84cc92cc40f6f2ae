import { secretMask } from '../../contract/pipe.ts';
import { type PipeInput, PipeInputSchema } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import type { SchemaCheck } from '../../http/operation.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { maskSecrets } from './mask-secrets.ts';
import { scalingProblems } from './scaling-ranges.ts';
import { fieldsOf, schemaAt } from './schema-walk.ts';

/** At least one. */
export type Problems = readonly [Problem, ...Problem[]];
export type CheckedPipe = { pipe: PipeInput; problems?: undefined } | { pipe?: undefined; problems: Problems };

/**
 * Validates a pipe as it is written: its shape and ranges by `checkShape`, then what no schema says. A problem has a path
 * and a reason and repeats no value, so no secret either.
 */
export function checkPipe(checkShape: SchemaCheck, entry: unknown): CheckedPipe {
  const [misshapen, ...further] = checkShape(entry).map(withReadableMessage);
  if (misshapen) return { problems: [misshapen, ...further] };
  // `checkShape` validates by PipeInputSchema.
  const pipe = entry as PipeInput;
  const [wrong, ...more] = [...sourceProblems(pipe), ...scalingProblems(pipe), ...maskProblems(pipe)];
  return wrong ? { problems: [wrong, ...more] } : { pipe };
}

/** The only pattern is that of ids; a misspelt field, most likely a setting, is reported with the nearest known one. */
function withReadableMessage({ path, message }: Problem): Problem {
  if (message.startsWith('must match')) return { path, message: 'must be a UUID' };
  if (message !== 'is not a known field') return { path, message };
  const steps = path.split('.');
  const around = schemaAt(PipeInputSchema, steps.slice(0, -1).join('.'));
  const near = nearestName(steps.at(-1) ?? '', around ? Object.keys(fieldsOf(around)) : []);
  return { path, message: near === undefined ? message : `${message}; did you mean ${near}?` };
}

function sourceProblems({ source }: PipeInput): Problem[] {
  if (!source) return [];
  if (Object.keys(source).length === 0) {
    return [{ path: 'source', message: 'must have one or more of kafka, kinesis, objectStorage, postgres' }];
  }
  const { kafka: { offset = {} } = {}, kinesis = {} } = source;
  return [
    ...timestampProblems(offset.timestamp),
    ...(offset.strategy === 'from_timestamp' && offset.timestamp === undefined
      ? [{ path: 'source.kafka.offset.timestamp', message: 'is required with strategy from_timestamp' }]
      : []),
    ...(kinesis.iteratorType === 'AT_TIMESTAMP' && kinesis.timestamp === undefined
      ? [{ path: 'source.kinesis.timestamp', message: 'is required with iteratorType AT_TIMESTAMP' }]
      : []),
  ];
}

/** seed §Pipe source.kafka: "date-time without seconds, e.g. `YYYY-MM-DDThh:mm`". */
function timestampProblems(timestamp: string | undefined): Problem[] {
  if (timestamp === undefined || isMinute(timestamp)) return [];
  return [{ path: 'source.kafka.offset.timestamp', message: 'must be a date and time like 2026-01-31T12:00 (UTC)' }];
}

function isMinute(timestamp: string): boolean {
  const moment = new Date(`${timestamp}:00.000Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString() === `${timestamp}:00.000Z`;
}

/** An answer that is written back holds the mask, which is not a credential. */
function maskProblems(pipe: PipeInput): Problem[] {
  const problems: Problem[] = [];
  maskSecrets(PipeInputSchema, pipe, (path, secret) => {
    if (secret === secretMask) {
      problems.push({ path, message: 'is the mask shown in responses; send the secret itself or omit it' });
    }
  });
  return problems;
}

import type { Problem } from '../../contract/problem.ts';
import { isRecord, mergePatch, withoutNulls } from './merge-patch.ts';
import { familyOf } from './pipe-family.ts';

/** What a client sends of a pipe, in our words, and what of it is about the request only. */
export interface WrittenPipe {
  fields: Record<string, unknown>;
  /** Ask the source before anything is stored. */
  asksSource: boolean;
}

/** Clients of today prefix settings of the engine otherwise (decisions F7). */
const foreignPrefix = 'clickhouse_';
/** Decided by the service; clients that send back what they have read send them along. */
const readOnly = ['id', 'serviceId', 'createdAt', 'updatedAt', 'state'];

export function writtenPipe(body: unknown): WrittenPipe | undefined {
  if (!isRecord(body)) return undefined;
  const { source, settings } = body;
  const { validateSamples, ...rest } = isRecord(source) ? source : { validateSamples: undefined };
  const fields = Object.fromEntries(Object.entries(body).filter(([key]) => !readOnly.includes(key)));
  if (isRecord(source)) fields.source = rest;
  if (isRecord(settings)) fields.settings = inOurWords(settings);
  return { fields, asksSource: validateSamples === true };
}

export function inOurWords(settings: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(settings).map(([name, value]) => [
    name.startsWith(foreignPrefix) ? `engine_${name.slice(foreignPrefix.length)}` : name,
    value,
  ]);
  return Object.fromEntries(named);
}

/** The record of a new pipe; `startPaused` is about its first state only. */
export function newPipe({ fields }: WrittenPipe): Record<string, unknown> {
  const { startPaused, ...described } = withoutNulls(fields);
  return { ...described, state: startPaused === true ? 'Stopped' : 'Provisioning' };
}

export function newPipeProblems({ fields }: WrittenPipe): Problem[] {
  const { startPaused = false, source } = withoutNulls(fields);
  if (typeof startPaused !== 'boolean') return [{ path: 'startPaused', message: 'must be a boolean' }];
  if (!startPaused || familyOf({ source }) === 'stream') return [];
  return [{ path: 'startPaused', message: 'is not possible for databases; create the pipe and stop it' }];
}

/** The record with the changes of a patch; null removes a field. */
export function patchedPipe(record: object, { fields }: WrittenPipe): unknown {
  return mergePatch(record, fields);
}

/** What of a patch would make another pipe of it. */
export function patchProblems(record: Readonly<Record<string, unknown>>, { fields }: WrittenPipe): Problem[] {
  const problems: Problem[] = [];
  const { source, destination } = fields;
  const kinds = isRecord(record.source) ? Object.keys(record.source) : [];
  for (const [kind, value] of Object.entries(isRecord(source) ? source : {})) {
    if (value !== null && !kinds.includes(kind)) {
      problems.push({ path: `source.${kind}`, message: 'the kind of source cannot be changed; create another pipe' });
    }
  }
  const present = isRecord(record.destination) ? record.destination : {};
  for (const field of ['database', 'table', 'managedTable']) {
    if (!isRecord(destination) || !(field in destination) || destination[field] === present[field]) continue;
    problems.push({ path: `destination.${field}`, message: 'cannot be changed; create another pipe' });
  }
  return problems;
}

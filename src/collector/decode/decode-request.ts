import { MalformedPayloadError } from '../intake-errors.ts';
import { Rejections } from '../rejections.ts';
import type { Arrival } from './arrival.ts';
import { DecodeRun, type OriginTable } from './decode-run.ts';
import type { DecodedRequest } from './decoded-request.ts';
import { forEachMessage } from './repeated-messages.ts';
import { forEachScope, recordTag, type ScopeGroup } from './scope-groups.ts';

/** What one signal makes of the members of a scope: log records, spans or metrics. */
export interface SignalRows {
  readonly tables: readonly OriginTable[];
  /** Appends the rows of the member that ends at `end`, or rejects it. */
  takeMember(run: DecodeRun, end: number): void;
  /** Records in the member that ends at `end`. */
  countRecords(run: DecodeRun, end: number): number;
}

const brokenOrigin = 'the resource or scope of a record is not valid';

/**
 * An export request as blocks. What is broken inside one record costs that record only; the groups around records have
 * to be whole. Work and memory grow with the bytes of the payload. Throws `MalformedPayloadError`,
 * `PayloadTooLargeError`.
 */
export function decodeRequest(
  payload: Buffer,
  rows: SignalRows,
  arrival: Arrival,
  earlier = new Rejections(),
): DecodedRequest {
  const start = (careful: boolean) =>
    new DecodeRun(payload, { tables: rows.tables, arrival, careful, rejections: earlier.copy() });
  try {
    return decodeOnce(start(false), rows);
  } catch (error) {
    if (!(error instanceof MalformedPayloadError)) throw error;
    return decodeOnce(start(true), rows);
  }
}

function decodeOnce(run: DecodeRun, rows: SignalRows): DecodedRequest {
  try {
    forEachScope(run.reader, (group) => decodeScope(run, rows, group));
    return run.finish();
  } finally {
    for (const table of rows.tables) table.clear();
  }
}

function decodeScope(run: DecodeRun, rows: SignalRows, group: ScopeGroup): void {
  if (!run.enterScope(group)) {
    forEachMessage(run.reader, group.records, recordTag, (end) => {
      run.rejections.add(brokenOrigin, rows.countRecords(run, end));
    });
    return;
  }
  forEachMessage(run.reader, group.records, recordTag, (end) => {
    rows.takeMember(run, end);
    if (run.chunkIsFull) run.endChunk();
  });
  run.leaveScope();
}

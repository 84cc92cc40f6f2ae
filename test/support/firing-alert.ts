import { expect } from 'vitest';
import { personalKey, type RunningProgram } from './start-program.ts';

interface Tile {
  id: string;
}

/** Creates what must be accepted; answers the record. */
export async function create<T extends { id: string }>(
  program: RunningProgram,
  path: string,
  body: object,
  key = personalKey,
): Promise<T> {
  const { status, json } = await program.call('POST', `/api/v2${path}`, body, key);
  expect(status, JSON.stringify(json)).toBe(200);
  return (json as { data: T }).data;
}

/** No logs of this service exist, unless a test writes some. */
export const emptyService = 'nobody';

/** A dashboard of so many tiles that count logs of which there are none. */
export async function createEmptyCounts(program: RunningProgram, tiles = 1, key = personalKey) {
  const { json } = await program.call('GET', '/api/v2/sources', undefined, key);
  const sourceId = (json as { data: { id: string; kind: string }[] }).data.find(({ kind }) => kind === 'log')?.id;
  const series = [{ sourceId, aggFn: 'count', where: `ServiceName:${emptyService}`, groupBy: [] }];
  const drawn = Array.from({ length: tiles }, (_, index) => ({ name: `Orders ${index}`, series }));
  return create<{ id: string; tiles: Tile[] }>(program, '/dashboards', { name: 'Shop', tiles: drawn }, key);
}

/** Of an alert: windows of a minute, one of which ends then. */
export function windowEndingAt(endMs: number): { interval: '1m'; scheduleStartAt: string } {
  return { interval: '1m', scheduleStartAt: new Date(endMs - 60_000).toISOString() };
}

/**
 * Saves an alert so that its next window ends in a moment, and no earlier than that instant; once more when saving took
 * until then. Answers when it ends.
 */
export async function endWindowSoon(
  save: (window: ReturnType<typeof windowEndingAt>) => Promise<unknown>,
  earliestMs = 0,
): Promise<number> {
  for (let marginMs = 2_000; ; marginMs *= 2) {
    const endMs = Math.max(Date.now() + marginMs, earliestMs);
    await save(windowEndingAt(endMs));
    if (Date.now() < endMs) return endMs;
  }
}

/**
 * An alert that fires at this instant and keeps firing: it requires at least one event, and there is none. Its
 * windows of a minute are anchored so that one ends then; that is the first to be evaluated.
 */
export function firingAlert(at: {
  dashboardId: string;
  tileId: string | undefined;
  webhookId: string;
  firesAtMs: number;
}) {
  const { dashboardId, tileId, webhookId, firesAtMs } = at;
  return {
    dashboardId,
    tileId,
    threshold: 1,
    thresholdType: 'below',
    ...windowEndingAt(firesAtMs),
    channel: { type: 'webhook', webhookId },
  };
}

import type { Tile } from '../../src/contract/tile.ts';
import { freshState } from '../../src/evaluator/alert-state.ts';
import type { EvaluationResult } from '../../src/evaluator/evaluation-store.ts';
import type { LeasedAlert } from '../../src/evaluator/lease.ts';
import type { OutgoingNotification } from '../../src/evaluator/ports.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import type { Alert } from '../../src/resources/alerts/alert.ts';

export const minuteMs = 60_000;
/** 2026-01-01T00:00:00Z, where a `FakeClock` starts; a multiple of every interval. */
export const newYearMs = Date.UTC(2026, 0, 1);

export function tileOf(id: string, parts: Partial<Tile> = {}): Tile {
  const series = [{ sourceId: 'a00000000000000000000001', aggFn: 'count' as const, where: '', groupBy: [] }];
  return { id, name: `tile ${id}`, x: 0, y: 0, w: 8, h: 10, series, ...parts };
}

export function alertOf(parts: Partial<Alert> = {}): Alert {
  return {
    id: randomIds.hex24(),
    dashboardId: 'd00000000000000000000001',
    tileId: 't1',
    threshold: 5,
    thresholdType: 'above',
    interval: '1m',
    channels: [{ type: 'webhook', webhookId: 'e00000000000000000000001' }],
    createdAt: new Date(newYearMs).toISOString(),
    updatedAt: new Date(newYearMs).toISOString(),
    ...parts,
  };
}

/** The evaluation of the leased alert's next window, one minute long. */
export function evaluationOf(leased: LeasedAlert, parts: Partial<EvaluationResult> = {}): EvaluationResult {
  const endMs = leased.nextWindowEndMs;
  return {
    tenantId: leased.tenantId,
    alertId: leased.alert.id,
    epoch: leased.epoch,
    nextWindowEndMs: endMs,
    state: freshState,
    followingWindowEndMs: endMs + minuteMs,
    leaseUntilMs: endMs + minuteMs,
    history: { windowStartMs: endMs - minuteMs, windowEndMs: endMs, evaluatedAtMs: endMs, status: 'OK', groups: [] },
    errors: [],
    notifications: [],
    ...parts,
  };
}

export function messageOf(tenantId: string, parts: Partial<OutgoingNotification> = {}): OutgoingNotification {
  const id = randomIds.secret(16);
  return {
    id,
    tenantId,
    webhookId: 'e00000000000000000000001',
    eventId: id,
    idempotencyKey: id,
    createdAtMs: newYearMs,
    notification: {
      reason: 'firing',
      alert: { id: randomIds.hex24(), threshold: 5, thresholdType: 'above', interval: '1m' },
      dashboard: { id: 'd00000000000000000000001', name: 'Shop' },
      tile: { id: 't1', name: 'Errors' },
      group: [],
      value: 7,
      window: { startMs: newYearMs, endMs: newYearMs + minuteMs },
    },
    ...parts,
  };
}

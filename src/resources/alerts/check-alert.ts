import type { AlertInput } from '../../contract/alert.ts';
import type { Tile } from '../../contract/tile.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { sqlTileOf, unwatchableSql } from '../charts/request/sql-tile.ts';
import { tileToChart } from '../charts/request/tile-to-chart.ts';
import { isTimeOrNumber } from '../dashboards/tile-alerts.ts';

const dayMs = 24 * 60 * 60_000;
const intervalMaxMs = 7 * dayMs;
const yearMs = 365 * dayMs;

/**
 * What is wrong with a body that its schema accepts; `undefined` when nothing is. The text starts with the field
 * (decisions A1, A2; contract §3.1). References are checked where they are stored.
 */
export function alertProblem(input: AlertInput, nowMs: number): string | undefined {
  return (
    watchedProblem(input) ??
    durationProblem('interval', input.interval) ??
    (input.repeatInterval === undefined ? undefined : durationProblem('repeatInterval', input.repeatInterval)) ??
    thresholdProblem(input) ??
    recoveryProblem(input) ??
    channelProblem(input) ??
    scheduleProblem(input, nowMs)
  );
}

/** What the body says, else what its ids name (contract §3.1). */
export function sourceOf({ source, dashboardId, savedSearchId }: AlertInput): 'tile' | 'saved_search' {
  return source ?? (savedSearchId && !dashboardId ? 'saved_search' : 'tile');
}

function watchedProblem(input: AlertInput): string | undefined {
  if (sourceOf(input) === 'saved_search') {
    return input.savedSearchId ? undefined : 'savedSearchId: is required for source saved_search.';
  }
  if (!input.dashboardId) return 'dashboardId: is required.';
  if (!input.tileId) return 'tileId: is required.';
  return input.groupBy?.trim()
    ? 'groupBy: is only for saved searches; a tile is evaluated by its own groups.'
    : undefined;
}

function durationProblem(field: string, text: string): string | undefined {
  const ms = parseDuration(text);
  if (ms !== undefined && ms <= intervalMaxMs) return undefined;
  return `${field}: must be <n>m, <n>h or <n>d, at most 7d.`;
}

function thresholdProblem({ thresholdType, threshold, thresholdMax }: AlertInput): string | undefined {
  if (thresholdType !== 'between' && thresholdType !== 'not_between') return undefined;
  if (typeof thresholdMax !== 'number') return `thresholdMax: is required for thresholdType ${thresholdType}.`;
  return thresholdMax < threshold ? 'thresholdMax: must not be less than threshold.' : undefined;
}

/** A recovery threshold lies on the side of the threshold that does not fire; ranges have two such sides. */
function recoveryProblem({ thresholdType, threshold, recoveryThreshold }: AlertInput): string | undefined {
  if (typeof recoveryThreshold !== 'number') return undefined;
  switch (thresholdType) {
    case 'above':
    case 'above_exclusive':
      return recoveryThreshold > threshold ? 'recoveryThreshold: must not be greater than threshold.' : undefined;
    case 'below':
    case 'below_or_equal':
      return recoveryThreshold < threshold ? 'recoveryThreshold: must not be less than threshold.' : undefined;
    default:
      return 'recoveryThreshold: is for thresholdType above, above_exclusive, below and below_or_equal.';
  }
}

function channelProblem({ channel, channels }: AlertInput): string | undefined {
  const [first] = channels ?? [];
  if (!first) return channel ? undefined : 'channel: is required, or channels.';
  if (channel && (channel.type !== first.type || channel.webhookId !== first.webhookId)) {
    return 'channel: must be the same as channels.0 when both are sent.';
  }
  const ids = channels?.map(({ webhookId }) => webhookId) ?? [];
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  return twice < 0 ? undefined : `channels.${twice}.webhookId: the same webhook is listed twice.`;
}

function scheduleProblem(input: AlertInput, nowMs: number): string | undefined {
  const offsetMinutes = input.scheduleOffsetMinutes ?? 0;
  if (offsetMinutes * 60_000 >= (parseDuration(input.interval) ?? 0)) {
    return 'scheduleOffsetMinutes: must be less than the interval.';
  }
  if (!input.scheduleStartAt) return undefined;
  if (offsetMinutes > 0) return 'scheduleOffsetMinutes: must be 0 or absent when scheduleStartAt is set.';
  return startProblem(input.scheduleStartAt, nowMs);
}

function startProblem(text: string, nowMs: number): string | undefined {
  const startMs = text.endsWith('Z') ? parseInstant(text) : undefined;
  if (startMs === undefined) return 'scheduleStartAt: must be an ISO 8601 date-time in UTC that ends in Z.';
  if (startMs > nowMs + yearMs) return 'scheduleStartAt: must not be more than 1 year ahead.';
  return startMs < nowMs - 10 * yearMs ? 'scheduleStartAt: must not be more than 10 years back.' : undefined;
}

/** Why a tile can't be watched; `undefined` when it can: only line, stacked_bar and number yield a value per window. */
export function tileProblem(tile: Tile): string | undefined {
  if (!isTimeOrNumber(tile)) {
    return 'tileId: this tile can’t be watched; only tiles that show lines, stacked bars or a number can.';
  }
  const sql = sqlTileOf(tile);
  if (sql) return unwatchable(unwatchableSql(sql));
  const chart = tileToChart(tile);
  return chart.kind === 'chart' ? undefined : unwatchable(chart.reason);
}

function unwatchable(reason: string | undefined): string | undefined {
  return reason === undefined ? undefined : `tileId: this tile can’t be watched. ${reason}`;
}

import type { Alert } from '../resources/alerts/alert.ts';
import { scheduleOf, watchedOf } from '../resources/alerts/alert.ts';
import type { PreviewOutcome, ReadingWarning, RulePreviewer, TileWindowsReader, WindowReadings } from './ports.ts';
import { previewRule, windowsWithin } from './preview-rule.ts';

type Request = Parameters<RulePreviewer['preview']>[0];
type Stretch = ReturnType<typeof windowsWithin>;

/** Previews alerts with the code that evaluates live windows; all windows are read by one query. */
export class LiveRulePreviewer implements RulePreviewer {
  readonly #reader: TileWindowsReader;

  constructor(reader: TileWindowsReader) {
    this.#reader = reader;
  }

  async preview({ tenantId, alerts, range, windowsMax, signal }: Request): Promise<PreviewOutcome> {
    const stretches = alerts.map((alert) => windowsWithin(scheduleOf(alert), range));
    const excess = stretches.find(({ count }) => count > windowsMax);
    if (excess) return { kind: 'tooManyWindows', count: excess.count };
    const read = this.#onceEach(tenantId, signal);
    const rules = [];
    const cost = { rowsRead: 0, elapsedMs: 0, truncated: false };
    const warnings: ReadingWarning[] = [];
    for (const [index, alert] of alerts.entries()) {
      const stretch = stretches[index];
      if (!stretch) continue;
      const { readings, isNew } = await read(alert, stretch);
      if (isNew) {
        cost.rowsRead += readings.rowsRead;
        cost.elapsedMs += readings.elapsedMs;
        warnings.push(...readings.warnings);
      }
      cost.truncated ||= readings.truncated;
      rules.push(await previewRule(alert, stretch, readings, signal));
    }
    return { kind: 'previewed', rules, ...cost, warnings };
  }

  /** Two rules on the same windows of the same tile are one query. */
  #onceEach(tenantId: string, signal: AbortSignal) {
    const known = new Map<string, WindowReadings>();
    return async (alert: Alert, { startMs, endMs }: Stretch): Promise<{ readings: WindowReadings; isNew: boolean }> => {
      const watched = watchedOf(alert);
      const { intervalMs } = scheduleOf(alert);
      const key = JSON.stringify([watched, intervalMs, startMs, endMs]);
      const before = known.get(key);
      if (before) return { readings: before, isNew: false };
      const range = { startMs, endMs };
      const readings = await this.#reader.readWindows({ tenantId, watched, range, intervalMs, signal });
      known.set(key, readings);
      return { readings, isNew: true };
    };
  }
}

import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import { newestMessages, newestWindows } from '../../src/metadata/alert-trends.ts';
import { alertOf, messageOf, minuteMs, newYearMs } from '../support/alert-fixtures.ts';
import { insertHistoryRows } from '../support/alert-rows.ts';
import { onBothStores } from '../support/metadata-stores.ts';

const windows = 1500;

onBothStores((underTest, kind) => {
  describe('reading the trends of alerts', () => {
    const tenantId = randomIds.hex24();
    const ids: string[] = [];

    beforeAll(async () => {
      const { store, raw } = underTest();
      const kept = Array.from({ length: windows }, (_, at) => {
        const windowEndMs = newYearMs + at * minuteMs;
        return {
          windowStartMs: windowEndMs - minuteMs,
          windowEndMs,
          evaluatedAtMs: windowEndMs,
          status: 'OK' as const,
        };
      });
      for (let count = 0; count < 3; count++) {
        const alert = alertOf();
        ids.push(alert.id);
        await store.alerts.transaction((inside) => inside.insert(tenantId, alert, newYearMs));
        await insertHistoryRows(
          raw,
          alert.id,
          kept.map((window) => ({ ...window, groups: [] })),
        );
        await raw.writes.insertInto('outbox').values(messagesOf(tenantId, alert.id)).execute();
      }
      await sql`analyze`.execute(raw.writes);
    });

    it('goes to the newest windows and messages of each alert by their index', async () => {
      const { raw } = underTest();
      const request = { tenantId, alertIds: ids, windowsMax: 24, charactersMax: 100_000 };
      const plans = await Promise.all(
        [newestWindows, newestMessages].map(async (statement) => {
          const explain = sql.raw(kind === 'embedded' ? 'explain query plan' : 'explain (analyze, timing off)');
          const { rows } = await sql`${explain} ${statement(raw.dialect, request)}`.execute(raw.writes);
          return rows.map((row) => JSON.stringify(row)).join('\n');
        }),
      );
      const [ofWindows = '', ofMessages = ''] = plans;
      if (kind === 'embedded') {
        expect(ofWindows).toMatch(/SEARCH alert_history USING INDEX \w+ \(alert_id=\?\)/);
        expect(ofMessages).toContain('SEARCH outbox USING INDEX outbox_alert (tenant_id=? AND alert_id=?)');
        expect(plans.join()).not.toMatch(/SCAN (alert_history|outbox)/);
      } else {
        expect(ofWindows).toMatch(/Index Scan Backward using alert_history_key .*rows=24/);
        expect(ofMessages).toMatch(/Index Scan Backward using outbox_alert|Incremental Sort/);
        expect(plans.join()).not.toMatch(/Seq Scan on (alert_history|outbox)/);
      }
    });
  });
});

function messagesOf(tenantId: string, alertId: string) {
  return Array.from({ length: 300 }, (_, at) => {
    const { id, webhookId } = messageOf(tenantId);
    return {
      ...{
        id,
        tenant_id: tenantId,
        alert_id: alertId,
        webhook_id: webhookId,
        event_id: id,
        status: 'delivered' as const,
      },
      ...{ created_ms: newYearMs + at * minuteMs, next_attempt_ms: 0, attempts: 1, claim: null, claim_until_ms: 0 },
      ...{ document: '{}', last_at_ms: newYearMs, last_status: 200, last_error: null },
    };
  });
}

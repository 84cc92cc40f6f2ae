import { expect, it } from 'vitest';
import { alertOf } from '../../../test/support/alert-fixtures.ts';
import { onBothStores } from '../../../test/support/metadata-stores.ts';
import { historyKeys } from './0010-history-keys.ts';

const group = [{ key: 'told', value: 'he said "told": and "judgedAtMs":' }];

onBothStores((underTest) => {
  it('history that an earlier version wrote gets the new keys; values stay as they are', async () => {
    const { raw, store } = underTest();
    const { writes, dialect } = raw;
    const alert = alertOf();
    await store.alerts.transaction((inside) => inside.insert('t', alert, 0));
    const written = {
      judgedAtMs: 7,
      status: 'ALERT',
      groups: [
        { group, value: 1, told: 'firing' },
        { group, value: 2, withheld: 'silenced' },
      ],
    };
    await writes
      .insertInto('alert_history')
      .values({ alert_id: alert.id, tenant_id: 't', window_end_ms: 1, document: JSON.stringify(written) })
      .execute();
    await historyKeys.up(writes, dialect);
    const { document } = await writes.selectFrom('alert_history').select('document').executeTakeFirstOrThrow();
    expect(JSON.parse(document)).toEqual({
      evaluatedAtMs: 7,
      status: 'ALERT',
      groups: [
        { group, value: 1, notified: 'firing' },
        { group, value: 2, suppressed: 'silenced' },
      ],
    });
  });
});

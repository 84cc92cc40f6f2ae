// Run as a separate process: writes dashboards in pairs, one transaction each, and prints a line per acknowledged
// write, until it is killed. Usage: metadata-writer.ts <file> <tenant id> [<pairs>]
import { writeSync } from 'node:fs';
import { systemClock } from '../../src/kernel/clock.ts';
import { randomIds } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { openMetadata } from '../../src/metadata/open-metadata.ts';

const [file = '', tenantId = '', pairs = 'Infinity'] = process.argv.slice(2);
const change = { atMs: 0, by: 'u', summary: 'Created' };
const store = await openMetadata({ location: { kind: 'embedded', file }, clock: systemClock, logger: silentLogger });

for (let pair = 0; pair < Number(pairs); pair++) {
  const twins = [randomIds.hex24(), randomIds.hex24()];
  const name = twins.join(' ');
  await store.dashboards.transaction(async (transaction) => {
    for (const id of twins)
      await transaction.insert(tenantId, { id, name, tags: ['x'.repeat(pair % 3_000)], tiles: [] }, change);
  });
  acknowledge({ twins, version: 1 });
  await store.dashboards.transaction(async (transaction) => {
    for (const id of twins) {
      const dashboard = { id, name, tags: [], tiles: [] };
      await transaction.save(tenantId, { dashboard, expectedVersion: 1, change });
    }
  });
  acknowledge({ twins, version: 2 });
}
await store.close();

/** Written synchronously, bypassing any buffer of this process, so that what was printed was acknowledged before a kill. */
function acknowledge(write: { twins: string[]; version: number }): void {
  writeSync(1, `${JSON.stringify(write)}\n`);
}

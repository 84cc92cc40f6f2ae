import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from 'vitest';
import { FakeClock } from '../../src/kernel/fake-clock.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { openEmbedded } from '../../src/metadata/embedded/open-embedded.ts';
import type { OpenStore } from '../../src/metadata/metadata-database.ts';
import { type MetadataLocation, type MetadataStore, openMetadata } from '../../src/metadata/open-metadata.ts';
import { openPostgres } from '../../src/metadata/postgres/open-postgres.ts';
import { startPostgres, type TestPostgres } from './start-postgres.ts';

/** Where a suite runs, with an empty store that is open while its tests run. */
export interface StoreUnderTest {
  readonly kind: MetadataLocation['kind'];
  readonly location: MetadataLocation;
  readonly store: MetadataStore;
  /** Separate connections, for rows that no port of the suite writes. */
  readonly raw: OpenStore;
  /** A further, empty place of the same kind. */
  anotherLocation(): Promise<MetadataLocation>;
}

export function openTestMetadata(location: MetadataLocation): Promise<MetadataStore> {
  return openMetadata({ location, clock: new FakeClock(), logger: silentLogger, watchTransactions: true });
}

/** The tables themselves, without migrations and repositories. */
export async function openRaw(location: MetadataLocation): Promise<OpenStore> {
  return location.kind === 'embedded' ? openEmbedded(location.file) : openPostgres(location.url, silentLogger);
}

/** Runs one suite against the embedded store and against a real PostgreSQL. */
export function onBothStores(suite: (underTest: () => StoreUnderTest, kind: StoreUnderTest['kind']) => void): void {
  describe('on the embedded store', () => suite(withStore('embedded', embeddedLocations), 'embedded'));
  describe('on PostgreSQL', () => suite(withStore('postgres', postgresLocations), 'postgres'));
}

interface Locations {
  next(): Promise<MetadataLocation>;
  remove(): Promise<void>;
}

function withStore(kind: StoreUnderTest['kind'], makeLocations: () => Promise<Locations>): () => StoreUnderTest {
  let locations: Locations | undefined;
  let underTest: StoreUnderTest | undefined;
  beforeAll(async () => {
    const made = await makeLocations();
    locations = made;
    const location = await made.next();
    const store = await openTestMetadata(location);
    underTest = { kind, location, store, raw: await openRaw(location), anotherLocation: () => made.next() };
  });
  afterAll(async () => {
    await underTest?.raw.close();
    await underTest?.store.close();
    await locations?.remove();
  });
  return () => {
    if (!underTest) throw new Error('the store is open only while tests run');
    return underTest;
  };
}

async function embeddedLocations(): Promise<Locations> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-metadata-'));
  let made = 0;
  return {
    next: async () => ({ kind: 'embedded', file: join(folder, `${++made}`, 'metadata.db') }),
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgresLocations(): Promise<Locations> {
  const server: TestPostgres = await startPostgres();
  return {
    next: async () => ({ kind: 'postgres', url: await server.createDatabase() }),
    remove: () => server.stop(),
  };
}

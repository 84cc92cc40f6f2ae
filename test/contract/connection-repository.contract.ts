import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { ConnectionRepository } from '../../src/resources/connections/connection-repository.ts';
import type { SourceRepository } from '../../src/resources/sources/source-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';
import { connectionOf } from '../support/connection-record.ts';
import { sourceOf } from '../support/source-record.ts';

export interface ConnectionStoreUnderTest {
  connections: ConnectionRepository;
  sources: SourceRepository;
}

/** What every store of connections does. Each case has its own tenants, so one store serves all of them. */
export function connectionRepositoryContract(underTest: () => ConnectionStoreUnderTest): void {
  const repository = (): ConnectionRepository => underTest().connections;

  it('records come back as they were written; what is absent stays absent', async () => {
    const tenantId = randomIds.hex24();
    const plain = connectionOf();
    const full = connectionOf({ sealedPassword: 'v1.a.b.c', hyperdxSettingPrefix: 'p_', isPrometheusEndpoint: true });
    for (const connection of [plain, full]) await repository().insert(tenantId, connection);
    expect(await repository().find(tenantId, plain.id)).toEqual(plain);
    expect(await repository().find(tenantId, full.id)).toEqual(full);
    expect(await repository().find(tenantId, randomIds.hex24())).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const tenantId = randomIds.hex24();
    const connection = connectionOf({ name: text, username: text });
    await repository().insert(tenantId, connection);
    expect(await repository().find(tenantId, connection.id)).toEqual(connection);
  });

  it('lists in order of creation, whatever the ids', async () => {
    const tenantId = randomIds.hex24();
    const connections = ['f', '0', '8'].map((digit) => connectionOf({ id: digit + randomIds.hex24().slice(1) }));
    for (const connection of connections) await repository().insert(tenantId, connection);
    expect(await repository().list(tenantId)).toEqual(connections);
  });

  it('replaces the whole record, and only one that is there', async () => {
    const tenantId = randomIds.hex24();
    const connection = connectionOf({ hyperdxSettingPrefix: 'p_' });
    await repository().insert(tenantId, connection);
    const replacement = connectionOf({ id: connection.id, name: 'renamed' });
    expect(await repository().replace(tenantId, replacement)).toBe(true);
    expect(await repository().find(tenantId, connection.id)).toEqual(replacement);
    expect(await repository().replace(tenantId, connectionOf())).toBe(false);
  });

  describe('removal', () => {
    it('answers whether there was one', async () => {
      const tenantId = randomIds.hex24();
      const connection = connectionOf();
      await repository().insert(tenantId, connection);
      expect(await repository().remove(tenantId, connection.id)).toEqual({ kind: 'removed', sources: [] });
      expect(await repository().remove(tenantId, connection.id)).toEqual({ kind: 'missing' });
      expect(await repository().list(tenantId)).toEqual([]);
    });

    it('is rejected with the names of the sources that point to it, until none does', async () => {
      const tenantId = randomIds.hex24();
      const [connection, other] = [connectionOf(), connectionOf()];
      for (const record of [connection, other]) await repository().insert(tenantId, record);
      const [one, two] = [sourceOf({ connection: connection.id }), sourceOf({ connection: connection.id })];
      const elsewhere = sourceOf({ connection: other.id });
      for (const source of [one, two, elsewhere]) await underTest().sources.insert(tenantId, source);
      expect(await repository().remove(tenantId, connection.id)).toEqual(inUse(one, two));

      await underTest().sources.replace(tenantId, sourceOf({ id: one.id, connection: other.id }));
      expect(await repository().remove(tenantId, connection.id)).toEqual(inUse(two));
      await underTest().sources.remove(tenantId, two.id);
      expect(await repository().remove(tenantId, connection.id)).toEqual({ kind: 'removed', sources: [] });
    });

    it('with force takes the sources that point to it along, and only these', async () => {
      const tenantId = randomIds.hex24();
      const [connection, other] = [connectionOf(), connectionOf()];
      for (const record of [connection, other]) await repository().insert(tenantId, record);
      const [own, elsewhere] = [sourceOf({ connection: connection.id }), sourceOf({ connection: other.id })];
      for (const source of [own, elsewhere]) await underTest().sources.insert(tenantId, source);
      const removal = await repository().remove(tenantId, connection.id, { force: true });
      expect(removal).toEqual({ kind: 'removed', sources: [own.id] });
      expect(await underTest().sources.list(tenantId)).toEqual([elsewhere]);
      expect(await repository().list(tenantId)).toEqual([other]);
    });

    it('at the same moment as a new source: one of the two gives way, nothing dangles', async () => {
      for (let round = 0; round < 20; round++) {
        const tenantId = randomIds.hex24();
        const connection = connectionOf();
        await repository().insert(tenantId, connection);
        const source = sourceOf({ connection: connection.id });
        const inserting = underTest().sources.insert(tenantId, source);
        const [inserted, removed] = await Promise.allSettled([inserting, repository().remove(tenantId, connection.id)]);
        const kept = inserted.status === 'fulfilled';
        expect(removed).toEqual({
          status: 'fulfilled',
          value: kept ? inUse(source) : { kind: 'removed', sources: [] },
        });
        expect(await underTest().sources.list(tenantId)).toHaveLength(kept ? 1 : 0);
      }
    });
  });

  it('decisions F2: another tenant finds, lists, replaces and removes nothing', async () => {
    const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
    const connection = connectionOf();
    await repository().insert(owner, connection);
    expect(await repository().find(stranger, connection.id)).toBeUndefined();
    expect(await repository().list(stranger)).toEqual([]);
    expect(await repository().replace(stranger, { ...connection, name: 'taken over' })).toBe(false);
    expect(await repository().remove(stranger, connection.id)).toEqual({ kind: 'missing' });
    expect(await repository().find(owner, connection.id)).toEqual(connection);
  });
}

function inUse(...sources: { id: string; name: string }[]) {
  return { kind: 'inUse', sources: sources.map(({ id, name }) => ({ id, name })) };
}

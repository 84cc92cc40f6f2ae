import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { ConnectionRepository } from '../../src/resources/connections/connection-repository.ts';
import type { Source } from '../../src/resources/sources/source.ts';
import type { SourceRepository } from '../../src/resources/sources/source-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';
import { connectionOf } from '../support/connection-record.ts';
import { type SourceParts, sourceOf } from '../support/source-record.ts';

export interface SourceStoreUnderTest {
  sources: SourceRepository;
  connections: ConnectionRepository;
}

/** What every store of sources does. Each case has its own tenants, so one store serves all of them. */
export function sourceRepositoryContract(underTest: () => SourceStoreUnderTest): void {
  const repository = (): SourceRepository => underTest().sources;

  /** A tenant with one connection, and sources that point to it. */
  async function newTenant(): Promise<{ tenantId: string; sourceOf: (parts?: SourceParts) => Source }> {
    const tenantId = randomIds.hex24();
    const connection = connectionOf();
    await underTest().connections.insert(tenantId, connection);
    return { tenantId, sourceOf: (parts) => sourceOf({ connection: connection.id, ...parts }) };
  }

  it('documents come back as they were written', async () => {
    const { tenantId, sourceOf } = await newTenant();
    const source = sourceOf();
    await repository().insert(tenantId, source);
    expect(await repository().find(tenantId, source.id)).toEqual(source);
    expect(await repository().find(tenantId, randomIds.hex24())).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const { tenantId, sourceOf } = await newTenant();
    const source = sourceOf({ name: text, timestampValueExpression: text });
    await repository().insert(tenantId, source);
    expect(await repository().find(tenantId, source.id)).toEqual(source);
  });

  it('lists in order of creation, whatever the ids, also after a replacement', async () => {
    const { tenantId, sourceOf } = await newTenant();
    const sources = ['f', '0', '8'].map((digit) => sourceOf({ id: digit + randomIds.hex24().slice(1) }));
    for (const source of sources) await repository().insert(tenantId, source);
    const [first, ...others] = sources;
    const renamed = sourceOf({ id: first?.id ?? '', name: 'renamed' });
    expect(await repository().replace(tenantId, renamed)).toBe(true);
    expect(await repository().list(tenantId)).toEqual([renamed, ...others]);
  });

  it('replaces the whole document and removes once', async () => {
    const { tenantId, sourceOf } = await newTenant();
    const source = sourceOf({ section: 'shop' });
    await repository().insert(tenantId, source);
    const replacement = sourceOf({ id: source.id });
    expect(await repository().replace(tenantId, replacement)).toBe(true);
    expect(await repository().find(tenantId, source.id)).toEqual(replacement);
    expect(await repository().remove(tenantId, source.id)).toBe(true);
    expect(await repository().remove(tenantId, source.id)).toBe(false);
    expect(await repository().replace(tenantId, replacement)).toBe(false);
    expect(await repository().list(tenantId)).toEqual([]);
  });

  it('20 concurrent replacements: the final state is exactly one of them', async () => {
    const { tenantId, sourceOf } = await newTenant();
    const source = sourceOf();
    await repository().insert(tenantId, source);
    const bodies = Array.from({ length: 20 }, (_, n) => sourceOf({ id: source.id, name: `${n}`, section: `${n}` }));
    await Promise.all(bodies.map((body) => repository().replace(tenantId, body)));
    expect(bodies).toContainEqual(await repository().find(tenantId, source.id));
  });

  describe('decisions F2: another tenant', () => {
    it('finds, lists, replaces and removes nothing', async () => {
      const { tenantId: owner, sourceOf } = await newTenant();
      const { tenantId: stranger, sourceOf: strangers } = await newTenant();
      const source = sourceOf();
      await repository().insert(owner, source);
      expect(await repository().find(stranger, source.id)).toBeUndefined();
      expect(await repository().list(stranger)).toEqual([]);
      expect(await repository().replace(stranger, strangers({ id: source.id, name: 'taken over' }))).toBe(false);
      expect(await repository().remove(stranger, source.id)).toBe(false);
      expect(await repository().find(owner, source.id)).toEqual(source);
    });
  });

  it('a source refers to a connection of its tenant or is not written', async () => {
    const { tenantId, sourceOf } = await newTenant();
    const foreign = connectionOf();
    await underTest().connections.insert(randomIds.hex24(), foreign);
    for (const connection of [randomIds.hex24(), foreign.id]) {
      await expect(repository().insert(tenantId, sourceOf({ connection }))).rejects.toThrow();
    }
    const source = sourceOf();
    await repository().insert(tenantId, source);
    await expect(repository().replace(tenantId, sourceOf({ id: source.id, connection: foreign.id }))).rejects.toThrow();
    expect(await repository().list(tenantId)).toEqual([source]);
  });
}

import { describe, expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { Source } from '../../src/resources/sources/source.ts';
import type { SourceRepository } from '../../src/resources/sources/source-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

/** What every store of sources does. Each case has tenants of its own, so one store serves all of them. */
export function sourceRepositoryContract(repository: () => SourceRepository): void {
  it('documents come back as they were written', async () => {
    const tenantId = randomIds.hex24();
    const source = sourceOf();
    await repository().insert(tenantId, source);
    expect(await repository().find(tenantId, source.id)).toEqual(source);
    expect(await repository().find(tenantId, randomIds.hex24())).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const tenantId = randomIds.hex24();
    const source = sourceOf({ name: text, timestampValueExpression: text });
    await repository().insert(tenantId, source);
    expect(await repository().find(tenantId, source.id)).toEqual(source);
  });

  it('lists in order of creation, whatever the ids, also after a replacement', async () => {
    const tenantId = randomIds.hex24();
    const sources = ['f', '0', '8'].map((digit) => sourceOf({ id: digit + randomIds.hex24().slice(1) }));
    for (const source of sources) await repository().insert(tenantId, source);
    const [first, ...others] = sources;
    const renamed = sourceOf({ id: first?.id ?? '', name: 'renamed' });
    expect(await repository().replace(tenantId, renamed)).toBe(true);
    expect(await repository().list(tenantId)).toEqual([renamed, ...others]);
  });

  it('replaces the whole document and removes once', async () => {
    const tenantId = randomIds.hex24();
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

  it('20 replacements at once: the last state is one of them, whole', async () => {
    const tenantId = randomIds.hex24();
    const source = sourceOf();
    await repository().insert(tenantId, source);
    const bodies = Array.from({ length: 20 }, (_, n) => sourceOf({ id: source.id, name: `${n}`, section: `${n}` }));
    await Promise.all(bodies.map((body) => repository().replace(tenantId, body)));
    expect(bodies).toContainEqual(await repository().find(tenantId, source.id));
  });

  describe('decisions F2: another tenant', () => {
    it('finds, lists, replaces and removes nothing', async () => {
      const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
      const source = sourceOf();
      await repository().insert(owner, source);
      expect(await repository().find(stranger, source.id)).toBeUndefined();
      expect(await repository().list(stranger)).toEqual([]);
      expect(await repository().replace(stranger, sourceOf({ id: source.id, name: 'taken over' }))).toBe(false);
      expect(await repository().remove(stranger, source.id)).toBe(false);
      expect(await repository().find(owner, source.id)).toEqual(source);
    });
  });
}

interface SourceParts {
  id?: string;
  name?: string;
  connection?: string;
  section?: string;
  timestampValueExpression?: string;
}

export function sourceOf(parts: SourceParts = {}): Source {
  return {
    id: randomIds.hex24(),
    kind: 'session',
    name: 'Sessions',
    connection: randomIds.hex24(),
    from: { databaseName: 'otel', tableName: 'hyperdx_sessions' },
    timestampValueExpression: 'TimestampTime',
    traceSourceId: randomIds.hex24(),
    disabled: false,
    querySettings: [],
    ...parts,
  };
}

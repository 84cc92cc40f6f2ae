import { expect, it } from 'vitest';
import { randomIds } from '../../src/kernel/ids.ts';
import type { Silence, SilenceRepository } from '../../src/resources/silences/silence-repository.ts';
import { awkwardTexts } from '../support/awkward-texts.ts';

export function silenceOf(parts: Partial<Silence> = {}): Silence {
  return {
    id: randomIds.hex24(),
    name: 'Release',
    comment: 'of the shop',
    match: { alertIds: [randomIds.hex24()], tags: ['shop'], groups: [{ key: 'pod', value: 'p1' }] },
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '2026-01-02T00:00:00.000Z',
    createdBy: randomIds.hex24(),
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    ...parts,
  };
}

/** Every Sunday night, without end. */
export function maintenanceOf(): Silence {
  const { endsAt: _never, ...rest } = silenceOf({ match: {} });
  return { ...rest, recurrence: { days: ['sun'], from: '22:00', to: '06:00', timezone: 'Europe/Berlin' } };
}

const wholeList = { limit: 1_000, offset: 0 };

/** What every store of silences does. Each case has its own tenants, so one store serves all of them. */
export function silenceRepositoryContract(repository: () => SilenceRepository): void {
  it('documents come back as they were written, replaced as a whole, removed once', async () => {
    const tenantId = randomIds.hex24();
    const written = silenceOf();
    await repository().insert(tenantId, written);
    expect(await repository().find(tenantId, written.id)).toEqual(written);
    const replacement = { ...maintenanceOf(), id: written.id };
    expect(await repository().replace(tenantId, replacement)).toBe(true);
    expect(await repository().find(tenantId, written.id)).toEqual(replacement);
    expect(await repository().remove(tenantId, written.id)).toBe(true);
    expect(await repository().remove(tenantId, written.id)).toBe(false);
    expect(await repository().replace(tenantId, replacement)).toBe(false);
    expect(await repository().find(tenantId, written.id)).toBeUndefined();
  });

  it.each(awkwardTexts)('keeps awkward text: $title', async ({ text }) => {
    const tenantId = randomIds.hex24();
    const written = silenceOf({ name: text, comment: text, match: { groups: [{ key: text, value: text }] } });
    await repository().insert(tenantId, written);
    expect(await repository().find(tenantId, written.id)).toEqual(written);
  });

  it('lists pages in order of creation, with the number of all', async () => {
    const tenantId = randomIds.hex24();
    const all = ['f', '0', '8'].map((digit) => silenceOf({ id: digit + randomIds.hex24().slice(1) }));
    for (const each of all) await repository().insert(tenantId, each);
    expect(await repository().list(tenantId, wholeList)).toEqual({ silences: all, total: 3 });
    const second = { silences: all.slice(1, 2), total: 3 };
    expect(await repository().list(tenantId, { limit: 1, offset: 1 })).toEqual(second);
  });

  it('those that have not ended: of one tenant, with those that recur without end, in order of creation', async () => {
    const [tenantId, other] = [randomIds.hex24(), randomIds.hex24()];
    const [ended, lasting, recurring] = [
      silenceOf(),
      silenceOf({ endsAt: '2026-01-02T00:00:00.001Z' }),
      maintenanceOf(),
    ];
    for (const each of [ended, lasting, recurring]) await repository().insert(tenantId, each);
    await repository().insert(other, maintenanceOf());
    const endMs = Date.parse('2026-01-02T00:00:00.000Z');
    expect(await repository().listUnended(tenantId, endMs)).toEqual([lasting, recurring]);
    expect(await repository().listUnended(tenantId, endMs - 1)).toEqual([ended, lasting, recurring]);
    await repository().replace(tenantId, { ...recurring, endsAt: '2026-01-01T12:00:00.000Z' });
    expect(await repository().listUnended(tenantId, endMs)).toEqual([lasting]);
  });

  it('decisions F2: another tenant finds, lists, replaces and removes nothing', async () => {
    const [owner, stranger] = [randomIds.hex24(), randomIds.hex24()];
    const written = silenceOf();
    await repository().insert(owner, written);
    expect(await repository().find(stranger, written.id)).toBeUndefined();
    expect(await repository().list(stranger, wholeList)).toEqual({ silences: [], total: 0 });
    expect(await repository().listUnended(stranger, 0)).toEqual([]);
    expect(await repository().replace(stranger, silenceOf({ id: written.id }))).toBe(false);
    expect(await repository().remove(stranger, written.id)).toBe(false);
    expect(await repository().find(owner, written.id)).toEqual(written);
  });
}

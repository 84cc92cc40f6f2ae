import { describe, expect, it } from 'vitest';
import { isHex24, isUuid, randomIds } from './ids.ts';

describe('identifiers (decisions F6)', () => {
  it('are 24 lower-case hex or a UUID', () => {
    expect(isHex24(randomIds.hex24())).toBe(true);
    expect(isUuid(randomIds.uuid())).toBe(true);
  });

  it('do not repeat', () => {
    expect(new Set(Array.from({ length: 1000 }, () => randomIds.hex24())).size).toBe(1000);
  });

  it.each(['', '66A1F00000000000000000A1', '66a1f00000000000000000a', 'not-an-id'])('%j is not 24 hex', (text) => {
    expect(isHex24(text)).toBe(false);
  });

  it('secrets have the requested length', () => {
    expect(randomIds.secret(20)).toMatch(/^[0-9a-f]{40}$/);
  });
});

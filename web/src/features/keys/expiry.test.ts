import { describe, expect, it } from 'vitest';
import { expiryOf, hasExpired, momentText } from './expiry.ts';

const now = Date.UTC(2026, 0, 1);

describe('expiry of keys', () => {
  it('counts days from now, and never is null', () => {
    expect(expiryOf('30', now)).toBe('2026-01-31T00:00:00.000Z');
    expect(expiryOf('never', now)).toBeNull();
  });

  it('has expired from the very moment on', () => {
    expect(hasExpired('2026-01-01T00:00:00.000Z', now)).toBe(true);
    expect(hasExpired('2026-01-01T00:00:00.001Z', now)).toBe(false);
    expect(hasExpired(null, now)).toBe(false);
  });

  it('prints to the minute in UTC', () => {
    expect(momentText(new Date(2026, 0, 31, 10, 20, 30).toISOString(), 'Never')).toBe('2026-01-31 10:20');
    expect(momentText(null, 'Never')).toBe('Never');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loggedError, loggedFields } from './logged-error.ts';
import { StoreUnavailableError } from './store-unavailable-error.ts';

const marker = 'payroll.MARKER-42';

/** Errors as Node and the libraries throw them, with a text of another system inside. */
const foreign: readonly (readonly [string, () => unknown])[] = [
  ['a database', () => Object.assign(new Error(`relation "${marker}" does not exist`), { code: '42P01' })],
  ['one with several lines', () => new Error(`first\n    at ${marker}\n    at f (${marker}:1:2)\n${marker}`)],
  ['one with a frame in it', () => new Error(`x\n    at ${marker} (not/a/file:1:1)`)],
  ['JSON', () => attempt(() => JSON.parse(`<html>${marker}`))],
  ['a URL', () => attempt(() => new URL(marker))],
  ['a number', () => attempt(() => BigInt(marker))],
  ['an argument', () => attempt(() => Buffer.alloc(marker as unknown as number))],
  ['a cause', () => new Error('fetch failed', { cause: new Error(marker) })],
  ['a cause of the language', () => new TypeError(marker, { cause: new Error(marker) })],
  ['several', () => new AggregateError([new Error(marker)], marker)],
  ['no error at all', () => marker],
  ['a name', () => Object.assign(new Error('x'), { name: `${marker} is a name` })],
  ['a code', () => Object.assign(new Error('x'), { code: `not a code: ${marker}` })],
  ['other fields', () => Object.assign(new Error('x'), { detail: marker, hint: marker, where: marker, sql: marker })],
];

function attempt(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe('what a log may hold of an error', () => {
  it.each(foreign)('never the words of another system: %s', (_name, make) => {
    expect(JSON.stringify(loggedError(make()))).not.toContain('MARKER');
  });

  it('whatever text it contains', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const error = new Error(`${before}MARKER${after}`);
        expect(JSON.stringify(loggedError(error))).not.toContain('MARKER');
      }),
    );
  });

  it('its kind, its code and where it was thrown', () => {
    const error = Object.assign(new Error('secret'), { code: 'ECONNRESET', cause: new RangeError('too far') });
    const logged = loggedError(error);
    expect(logged).toMatchObject({ type: 'Error', code: 'ECONNRESET', cause: { message: 'too far' } });
    expect(logged.at?.[0]).toContain('logged-error.test.ts');
  });

  it('the words that are ours, and those of the language about a mistake of ours', () => {
    expect(loggedError(new StoreUnavailableError('metadata', 'full')).message).toContain('no room left');
    expect(loggedError(attempt(() => (undefined as unknown as { x: 1 }).x)).message).toContain("reading 'x'");
  });

  it('fields that hold no error stay as they are', () => {
    const fields = { status: 200 };
    expect(loggedFields(fields)).toBe(fields);
    expect(loggedFields({ status: 500, cause: new Error(marker) })).toMatchObject({
      status: 500,
      cause: { type: 'Error' },
    });
  });
});

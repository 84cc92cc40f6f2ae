import { expect, it } from 'vitest';
import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { LeaseLostError } from '../pipe-ledger.ts';
import { SourceError } from '../source-port.ts';
import { sourceErrorOf } from './postgres-error.ts';

const secret = 'hunter2 at 10.0.0.1';
const failure = (code: string, message = secret) => Object.assign(new Error(message), { code });

it.each([
  ['28P01', 'rejected'],
  ['42501', 'rejected'],
  ['42P10', 'rejected'],
  ['55006', 'away'],
  ['57P01', 'away'],
  ['ECONNREFUSED', 'away'],
  ['CERT_HAS_EXPIRED', 'rejected'],
])('%s: %s, without the texts of the server', (code, kind) => {
  const error = sourceErrorOf(failure(code));
  expect(error).toMatchObject({ kind, message: expect.not.stringContaining(secret) });
});

it('errors of the client that have no code are those of a connection', () => {
  expect(sourceErrorOf(new Error('Connection terminated unexpectedly'))).toMatchObject({ kind: 'away' });
  expect(sourceErrorOf(new Error('The server does not support SSL connections'))).toMatchObject({ kind: 'rejected' });
});

it('a blocked address says which field names it', () => {
  expect(sourceErrorOf(new TargetBlockedError('the host is private'))).toMatchObject({
    kind: 'rejected',
    message: 'source.postgres.host: the host is private',
  });
});

it.each([new LeaseLostError(), new TypeError('x is undefined'), new SourceError('away', 'It is away.')])(
  '%s stays as it is',
  (error) => {
    expect(sourceErrorOf(error)).toBe(error);
  },
);

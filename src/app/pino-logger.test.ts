import { describe, expect, it } from 'vitest';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { createPinoLogger } from './pino-logger.ts';

function capture(level: string) {
  const lines: string[] = [];
  return { lines, log: createPinoLogger(level, { write: (line) => void lines.push(line) }) };
}

describe('the log on stdout', () => {
  it('is one JSON line per event with the fields beside the message', () => {
    const { lines, log } = capture('info');
    log.child({ requestId: 'r1' }).info({ status: 200 }, 'request');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'info', requestId: 'r1', status: 200, msg: 'request' });
  });

  it('shows an error by kind, code and place, and its message where it is ours', () => {
    const { lines, log } = capture('info');
    log.error({ error: Object.assign(new Error('MARKER'), { code: 'EPIPE' }) }, 'failed');
    log.error({ err: new StoreUnavailableError('metadata', 'full', '53100') }, 'failed');
    expect(JSON.parse(lines[0] ?? '').err).toMatchObject({ type: 'Error', code: 'EPIPE' });
    expect(JSON.parse(lines[1] ?? '').err.message).toBe('The metadata store has no room left on its disk.');
    expect(lines.join('')).not.toContain('MARKER');
  });

  it.each([
    'authorization',
    'password',
    'secret',
    'key',
    'apiKey',
    'token',
    'headers',
    'connectionString',
    'credentials',
    'accessKey',
    'serviceAccountKey',
    'accessKey',
    'serviceAccountKey',
  ])('never prints a field called %s, at the top or one level down', (name) => {
    const { lines, log } = capture('info');
    log.info({ [name]: 'MARKER', inner: { [name]: 'MARKER' } }, 'line');
    expect(lines[0]).not.toContain('MARKER');
  });

  it('keeps to its level', () => {
    const { lines, log } = capture('warn');
    log.info({}, 'quiet');
    expect(lines).toEqual([]);
  });
});

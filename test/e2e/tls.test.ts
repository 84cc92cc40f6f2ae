import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestionKey, type RunningProgram, startProgram } from '../support/start-program.ts';

const folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
let program: RunningProgram;

beforeAll(async () => {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'];
  execFileSync(
    'openssl',
    ['req', '-x509', '-nodes', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...subject],
    {
      stdio: 'ignore',
    },
  );
  program = await startProgram({
    env: { SIGNALBOX_TLS_CERT: cert, SIGNALBOX_TLS_KEY: key, SIGNALBOX_OPS_PORT: '0' },
  });
});
afterAll(async () => {
  await program.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  method: string;
  path: string;
  body?: string;
}

function send(origin: string | undefined, { method, path, body }: Sent): Promise<number | undefined> {
  const { hostname, port } = new URL(origin ?? '');
  const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const ca = readFileSync(cert);
    const sent = request({ hostname, port, path, method, headers, ca }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode));
    });
    sent.once('error', reject).end(body);
  });
}

describe('with a certificate (decisions F10)', () => {
  it('every port speaks TLS, and says so', async () => {
    const { addresses } = program;
    for (const address of Object.values(addresses)) expect(address).toMatch(/^https:/);
    for (const origin of [addresses.api, addresses.web, addresses.ops]) {
      expect(await send(origin, { method: 'GET', path: '/health' })).toBe(200);
    }
    expect(await send(addresses.otlpHttp, { method: 'POST', path: '/v1/logs', body: '{}' })).toBe(200);
    const session = connectHttp2(addresses.otlpGrpc, { ca: readFileSync(cert) });
    await new Promise((resolve, reject) => session.once('connect', resolve).once('error', reject));
    expect(session.encrypted).toBe(true);
    session.destroy();
  });
});

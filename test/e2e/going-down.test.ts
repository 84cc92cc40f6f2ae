import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ingestionKey,
  launchProgram,
  personalKey,
  type RunningProgram,
  startProgram,
} from '../support/start-program.ts';

const opened: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of opened.splice(0)) one.destroy();
});

/** A connection that sends `text` and then nothing more. */
async function openConnection(origin: string, text = ''): Promise<Socket> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  opened.push(socket);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(text);
  return socket;
}

/** An HTTP/2 stream that sends half a message. */
async function openStream(origin: string): Promise<void> {
  const session = connectHttp2(origin);
  opened.push(session);
  session.on('error', () => {});
  await new Promise((resolve) => session.once('connect', resolve));
  const stream = session.request({
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
    'content-type': 'application/grpc',
    te: 'trailers',
    authorization: ingestionKey,
  });
  stream.on('error', () => {});
  stream.write(Buffer.from([0, 0, 0, 1, 0, 1, 2, 3]));
}

const slowUpload = (path: string, key: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"name":`;
const whole = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n';

async function openEverything({ addresses }: RunningProgram): Promise<void> {
  for (const origin of Object.values(addresses)) {
    await openConnection(origin);
    await openConnection(origin, 'GET /hea');
    await openConnection(origin, whole);
  }
  await openConnection(addresses.api, slowUpload('/api/v2/dashboards', personalKey));
  await openConnection(addresses.web, slowUpload('/api/v2/session', 'x'));
  await openConnection(addresses.otlpHttp, slowUpload('/v1/logs', ingestionKey));
  await openStream(addresses.otlpGrpc);
  await openStream(addresses.otlpGrpc);
}

describe('SIGTERM', () => {
  it('ends the program with exit code 0, without a cut, whatever connections are open', async () => {
    const program = await startProgram({ env: { SIGNALBOX_OPS_PORT: '0' } });
    await openEverything(program);
    expect(await program.stop()).toEqual({ code: 0, signal: null });
    expect(program.output()).not.toContain('cut short');
  });

  it('shows it on /ready first, while connections are still taken', async () => {
    const program = await startProgram({ env: { SIGNALBOX_OPS_PORT: '0' } });
    const ready = () => fetch(`${program.addresses.ops}/ready`);
    expect((await ready()).status).toBe(200);
    const exited = program.stop();
    const statuses = new Set<number>();
    while (!statuses.has(503)) statuses.add((await ready()).status);
    expect([...statuses]).toContain(503);
    expect(await exited).toEqual({ code: 0, signal: null });
  });

  it.each([
    ['while the engine starts', (folder: string) => existsSync(join(folder, 'telemetry'))],
    ['while the metadata store opens', (folder: string) => existsSync(join(folder, 'metadata.db'))],
  ])('ends the program with exit code 0 %s', async (_, isReached) => {
    const launched = launchProgram();
    await vi.waitUntil(() => isReached(launched.dataDir), { interval: 1, timeout: 60_000 });
    launched.child.kill('SIGTERM');
    expect(await launched.exited, launched.output()).toEqual({ code: 0, signal: null });
    rmSync(launched.dataDir, { recursive: true });
  });

  it('ends the program with exit code 0 when it comes as soon as the addresses are printed, and twice', async () => {
    const launched = launchProgram();
    await launched.ready;
    launched.child.kill('SIGTERM');
    launched.child.kill('SIGTERM');
    expect(await launched.exited, launched.output()).toEqual({ code: 0, signal: null });
    rmSync(launched.dataDir, { recursive: true });
  });

  it('loses nothing that was acknowledged while it came', async () => {
    const program = await startProgram();
    const acknowledged: string[] = [];
    const send = async (text: string) => {
      const answer = await fetch(`${program.addresses.otlpHttp}/v1/logs`, {
        method: 'POST',
        headers: { authorization: ingestionKey, 'content-type': 'application/json' },
        body: JSON.stringify(oneLog(text)),
      }).catch(() => undefined);
      if (answer?.ok) acknowledged.push(text);
    };
    const sending = Array.from({ length: 60 }, (_, index) => send(`going down ${index}`));
    await sending[0];
    const exit = await program.kill('SIGTERM');
    await Promise.all(sending);
    expect(exit.code, program.output()).toBe(0);
    expect(acknowledged.length).toBeGreaterThan(0);

    const again = await startProgram({ dataDir: program.dataDir });
    const { json } = await again.call('POST', '/api/v2/search', {
      sourceId: await logsSource(again),
      maxResults: 1000,
      where: 'going',
    });
    const text = JSON.stringify(json);
    expect(acknowledged.filter((one) => !text.includes(`${one}"`))).toEqual([]);
    await again.stop();
  });
});

describe('npm start', () => {
  it('runs the program in the very process that npm sends its signals to', () => {
    const text = readFileSync(join(resolve(import.meta.dirname, '../..'), 'package.json'), 'utf8');
    expect(JSON.parse(text).scripts.start).toMatch(/^exec node /);
  });
});

async function logsSource(program: RunningProgram): Promise<string> {
  const { json } = await program.call('GET', '/api/v2/sources');
  return (json as { data: { id: string; kind: string }[] }).data.find(({ kind }) => kind === 'log')?.id ?? '';
}

function oneLog(text: string): object {
  const timeUnixNano = String(BigInt(Date.now()) * 1_000_000n);
  return { resourceLogs: [{ scopeLogs: [{ logRecords: [{ timeUnixNano, body: { stringValue: text } }] }] }] };
}

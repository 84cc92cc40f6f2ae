import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FieldWorld, logsOf, metricsOf, nano, spansOf } from '../field-reports/field-world.ts';
import { startProgram } from '../support/start-program.ts';
import { collectorConfig, type Pipeline, pipelines } from './collector-config.ts';
import { buildGo, whyMissing } from './interop-cache.ts';

const collector = await buildGo('go', 'collector');

describe.skipIf(collector.kind === 'missing')(`the OpenTelemetry Collector${whyMissing(collector)}`, () => {
  const ports = new Map<string, number>();
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-collector-'));
  let world: FieldWorld;
  let child: ChildProcess;

  beforeAll(async () => {
    world = new FieldWorld(await startProgram({ env: { SIGNALBOX_ROLES: 'api,collector' } }));
    for (const { name } of pipelines) ports.set(name, await freePort());
    const config = join(folder, 'config.json');
    const portOf = ({ name }: Pipeline) => ports.get(name) ?? 0;
    writeFileSync(config, JSON.stringify(collectorConfig(world.program.addresses, portOf)));
    child = spawn(collector.kind === 'found' ? collector.file : '', ['--config', config], { stdio: 'inherit' });
    const lastPort = ports.get(pipelines.at(-1)?.name ?? '') ?? 0;
    await vi.waitUntil(() => answers(lastPort), { timeout: 60_000, interval: 200 });
  });
  afterAll(async () => {
    child?.kill('SIGTERM');
    await world?.program.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const payloads = (service: string) => ({
    logs: logsOf(service, [{ timeUnixNano: nano(1), body: { stringValue: service } }]),
    traces: spansOf(service, [
      {
        traceId: '1'.repeat(32),
        spanId: '2'.repeat(16),
        name: 'span',
        startTimeUnixNano: nano(1),
        endTimeUnixNano: nano(2),
      },
    ]),
    metrics: metricsOf({ name: service, gauge: { dataPoints: [{ timeUnixNano: nano(1), asInt: '3' }] } }),
  });

  /** The answer of the Collector, which forwards the program's, for each signal. */
  async function sendThrough({ name }: Pipeline): Promise<Record<string, number>> {
    const answered: Record<string, number> = {};
    for (const [signal, payload] of Object.entries(payloads(name))) {
      const { status } = await fetch(`http://127.0.0.1:${ports.get(name)}/v1/${signal}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(payload),
      });
      answered[signal] = status;
    }
    return answered;
  }

  it.each(pipelines)('is read as it sends: $name', async (pipeline) => {
    const { name } = pipeline;
    expect(await sendThrough(pipeline)).toEqual({ logs: 200, traces: 200, metrics: 200 });
    expect(await world.search('log', `ServiceName:"${name}"`, 'Body')).toEqual([
      expect.objectContaining({ Body: name }),
    ]);
    expect(await world.search('trace', `ServiceName:"${name}"`, 'SpanName')).toHaveLength(1);
  });
});

async function answers(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/v1/logs`, { method: 'POST' });
    return true;
  } catch {
    return false;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address ? address.port : 0;
}

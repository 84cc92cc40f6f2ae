import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BenchEngine, startBenchEngine } from '../bench-engine.ts';
import { cpuMsOf } from '../process-usage.ts';
import { Program } from '../program.ts';

const organizationId = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';
const serviceId = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const key = { keyId: 'AKIDEXAMPLE0000000001', keySecret: 'a-key-secret-of-the-bench' };
const pollMs = 100;

/** The program with the role `pipes`, and an engine that both sides of a comparison use. */
export class PipeProgram {
  readonly engine: BenchEngine;
  readonly #program: Program;

  private constructor(engine: BenchEngine, program: Program) {
    this.engine = engine;
    this.#program = program;
  }

  static async start(folder: string): Promise<PipeProgram> {
    const engine = await startBenchEngine(folder);
    const provisioning = join(folder, 'pipes.json');
    const service = { id: serviceId, name: 'production' };
    const apiKeys = [{ name: 'bench', ...key, role: 'admin' }];
    writeFileSync(
      provisioning,
      JSON.stringify({ organizations: [{ id: organizationId, name: 'Bench', apiKeys, services: [service] }] }),
    );
    const program = await Program.start(folder, {
      SIGNALBOX_CLICKHOUSE_URL: engine.url,
      SIGNALBOX_PROVISIONING: provisioning,
      SIGNALBOX_FLAVOUR: 'managed',
      SIGNALBOX_ROLES: 'api,pipes',
      SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    });
    return new PipeProgram(engine, program);
  }

  /** CPU of the program and its engine so far. */
  get cpuMs(): number {
    return cpuMsOf([...this.#program.pids, this.engine.pid]);
  }

  /** Runs a pipe until it has written `rows`, and removes it. */
  async run(pipe: object, rows: number): Promise<void> {
    const { id } = await this.#call('POST', '/pipes', pipe);
    for (;;) {
      const { rows: written, state, reason } = await this.#call('GET', `/pipes/${id}/status`);
      if (written === rows) break;
      if (state === 'Failed') throw new Error(`the pipe failed: ${reason}`);
      await new Promise((done) => setTimeout(done, pollMs));
    }
    await this.#call('DELETE', `/pipes/${id}`);
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    await this.engine.stop();
  }

  async #call(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const url = `${this.#program.addresses.api}/v1/organizations/${organizationId}/services/${serviceId}${path}`;
    const authorization = `Basic ${Buffer.from(`${key.keyId}:${key.keySecret}`).toString('base64')}`;
    const sent = body && { body: JSON.stringify(body) };
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const answer = await fetch(url, { method, headers, ...sent });
    const json = (await answer.json()) as { result?: Record<string, unknown> };
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
    return json.result ?? {};
  }
}

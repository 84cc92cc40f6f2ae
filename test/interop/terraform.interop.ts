import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { lastLine } from './interop-cache.ts';

const run = promisify(execFile);
const module = 'github.com/ClickHouse/terraform-provider-clickhouse';

interface Provider {
  /** Absent = it can't be had here. */
  source?: string;
  terraform?: string;
  reason: string;
}

/**
 * The official provider's source, and a Terraform to drive it: a checkout that `INTEROP_TERRAFORM_PROVIDER` names, else
 * what the Go module proxy gives.
 */
async function findProvider(): Promise<Provider> {
  const checkout = process.env.INTEROP_TERRAFORM_PROVIDER;
  try {
    const { stdout: terraform } = await run('which', ['terraform']);
    if (checkout) return { source: checkout, terraform: terraform.trim(), reason: '' };
    const { stdout } = await run('go', ['mod', 'download', '-json', `${module}@latest`], { cwd: tmpdir() });
    return { source: JSON.parse(stdout).Dir, terraform: terraform.trim(), reason: '' };
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    const answer = /"Error": "(.*)"/.exec(stdout ?? '')?.[1] ?? lastLine(error);
    return { reason: `the Go module proxy or Terraform is missing: ${answer.slice(0, 200)}` };
  }
}

const provider = await findProvider();
const why = provider.source ? '' : ` (skipped: ${provider.reason})`;

describe.skipIf(!provider.source)(`the official Terraform provider's own acceptance tests${why}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-terraform-'));
  let program: RunningProgram;

  beforeAll(async () => {
    program = await startProgram({ env: { SIGNALBOX_ROLES: 'api' } });
    cpSync(provider.source ?? '', folder, { recursive: true });
  });
  afterAll(async () => {
    await program?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('pass', { timeout: 1_800_000 }, async () => {
    const { json } = await program.call('GET', '/api/v2/sources');
    const sources = (json as { data: { id: string; kind: string }[] }).data;
    const env = {
      ...process.env,
      TF_ACC: '1',
      TF_ACC_TERRAFORM_PATH: provider.terraform,
      CLICKSTACK_ENDPOINT: program.addresses.api,
      CLICKSTACK_API_KEY: personalKey,
      CLICKSTACK_SOURCE_ID: sources.find(({ kind }) => kind === 'log')?.id,
    };
    const argv = ['-n', '19', 'go', 'test', '-v', '-p', '1', '-run', 'TestAcc', './internal/service/clickstack/...'];
    const output = await run('nice', argv, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }).then(
      ({ stdout }) => stdout,
      // Which tests failed, and why, stands in what it printed.
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? ''}`,
    );
    expect(output).not.toMatch(/^(--- (FAIL|SKIP)|FAIL|panic:)/m);
    const passed = [...output.matchAll(/^--- PASS: (TestAcc\w+)/gm)].map(([, name]) => name);
    expect(passed.length, output).toBeGreaterThan(0);
  });
});

import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { launchProgram, startProgram } from '../support/start-program.ts';

/** Loaded into the program before it starts: lets a test throw an uncaught error. */
const throwing = `data:text/javascript,${encodeURIComponent(`
  process.on('SIGUSR2', () => { throw Object.assign(new Error('payroll.MARKER-42'), { code: 'EBOOM' }); });
  process.on('SIGWINCH', () => void Promise.reject(new Error('payroll.MARKER-42')));
`)}`;

describe('uncaught error', () => {
  it.each([
    ['an exception', 'SIGUSR2'],
    ['a rejection', 'SIGWINCH'],
  ] as const)('%s ends the program in order: one line that says so, exit code 1', async (_what, signal) => {
    const program = await startProgram({ env: { NODE_OPTIONS: `--import=${throwing}` } });
    await program.call('POST', '/api/v2/dashboards', { name: 'Kept', tiles: [] });
    expect((await program.kill(signal)).code, program.output()).toBe(1);
    const lines = program
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('the program is stopping because of an uncaught error');
    expect(program.output()).not.toContain('MARKER');
    const again = await startProgram({ dataDir: program.dataDir });
    expect((await again.call('GET', '/api/v2/dashboards')).json).toMatchObject({ data: [{ name: 'Kept' }] });
    await again.stop();
    rmSync(program.dataDir, { recursive: true, force: true });
  });
});

describe('standard output whose reader has gone', () => {
  it('stops the start with a sentence on standard error and exit code 2', async () => {
    const { child, exited, output, dataDir } = launchProgram();
    child.stdout?.destroy();
    expect((await exited).code, output()).toBe(2);
    expect(output()).toContain('Standard output is closed');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('while it runs: the program keeps running and stops normally', async () => {
    const launched = launchProgram();
    const { api } = await launched.ready;
    expect((await fetch(`${api}/health`)).status).toBe(200);
    launched.child.stdout?.destroy();
    for (let at = 0; at < 20; at++) expect((await fetch(`${api}/health`)).status).toBe(200);
    expect((await fetch(`${api}/api/v2/dashboards`)).status).toBe(401);
    launched.child.kill('SIGTERM');
    expect((await launched.exited).code, launched.output()).toBe(0);
    expect(launched.output()).toContain('log lines after this are lost');
    rmSync(launched.dataDir, { recursive: true, force: true });
  });
});

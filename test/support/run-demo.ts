import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { inject } from 'vitest';

export interface RunningDemo {
  web: string;
  /** Of the API, with its prefix. */
  api: string;
  key: string;
  email: string;
  password: string;
  folder: string;
  output(): string;
  /** As Ctrl-C does; answers the exit code. */
  interrupt(): Promise<number | null>;
}

const root = resolve(import.meta.dirname, '../..');

/** `npm run demo` of the build under test on random ports, as soon as it has printed where it is. */
export async function runDemo(): Promise<RunningDemo> {
  const ports = { API: '0', WEB: '0', OTLP_GRPC: '0', OTLP_HTTP: '0' };
  const child = spawn(process.execPath, [join(root, 'scripts/demo.mjs')], {
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_'))),
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`SIGNALBOX_${name}_PORT`, port])),
      SIGNALBOX_DEMO_PROGRAM: join(inject('programFolder'), 'main.js'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise<number | null>((done) => child.once('close', done));
  await new Promise<void>((done, fail) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString();
      if (printed.includes('Ctrl-C stops it')) done();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void exited.then((code) => fail(new Error(`The demo ended with ${code}:\n${printed}`)));
  });
  const found = (pattern: RegExp): string => pattern.exec(printed)?.[1] ?? '';
  return {
    web: new URL(found(/Dashboard\s+(\S+)/)).origin,
    api: found(/API\s+(\S+)/),
    key: found(/Personal key\s+(\S+)/),
    email: found(/Log in with\s+(\S+)/),
    password: found(/Log in with\s+\S+\s+(\S+)/),
    folder: found(/removes (\S+)\./),
    output: () => printed,
    async interrupt() {
      child.kill('SIGINT');
      return exited;
    },
  };
}

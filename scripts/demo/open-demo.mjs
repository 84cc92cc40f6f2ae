// The demo as a child process, for those who need its pages: pictures and tests.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../ensure-ready.mjs';

/** Starts it on random ports; answers as soon as it has printed where it is. */
export async function openDemo(environment = {}) {
  const ports = { API: '0', WEB: '0', OTLP_GRPC: '0', OTLP_HTTP: '0' };
  const child = spawn(process.execPath, [join(root, 'scripts/demo.mjs')], {
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('SIGNALBOX_'))),
      ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [`SIGNALBOX_${name}_PORT`, port])),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  const exited = new Promise((done) => child.once('close', done));
  await new Promise((done, fail) => {
    const read = (chunk) => {
      printed += chunk.toString();
      if (printed.includes('Ctrl-C stops it')) done();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    exited.then((code) => fail(new Error(`The demo ended with ${code}:\n${printed}`)));
  });
  const found = (pattern) => pattern.exec(printed)?.[1] ?? '';
  return {
    web: new URL(found(/Dashboard\s+(\S+)/)).origin,
    api: found(/API\s+(\S+)/),
    otlp: found(/OTLP\/HTTP\s+(\S+)/),
    ingestionKey: found(/Ingestion key\s+(\S+)/),
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

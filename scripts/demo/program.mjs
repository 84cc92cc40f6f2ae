// The program of this folder as a child process.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * Starts `serve`. `ready` answers its addresses, or rejects with what it printed; `exited` and `stop` answer its exit code.
 */
export function startProgram(mainFile, env) {
  const child = spawn(process.execPath, [mainFile, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const printed = [];
  child.stderr.on('data', (chunk) => printed.push(String(chunk)));
  const exited = new Promise((done) => child.once('close', (code) => done(code ?? 1)));
  const listening = new Promise((done) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const event = parseLine(line);
      if (event?.msg === 'ready') done(event.addresses);
      else if (!event || event.level === 'error' || event.level >= 50) printed.push(`${line}\n`);
    });
  });
  const stop = async () => {
    child.kill('SIGTERM');
    return exited;
  };
  const failed = exited.then(() => {
    throw new Error(`Signalbox did not start:\n${printed.join('')}`);
  });
  failed.catch(() => {});
  return { ready: Promise.race([listening, failed]), exited, stop };
}

function parseLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

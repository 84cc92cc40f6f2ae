// The program, built from source and restarted on every change.
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import esbuild from 'esbuild';
import { programOptions } from '../build.mjs';
import { root } from '../ensure-ready.mjs';

export class Restarts {
  #folder;
  #builds;
  #child;
  #stopped = false;
  /** Starts follow one another: a build that ends during one waits for it. */
  #turn = Promise.resolve();
  /** Of the program that runs now; `undefined` while there is none. */
  addresses;

  constructor(folder) {
    this.#folder = folder;
  }

  /** Resolves when the first build listens; rejects when it cannot be built or ends before. */
  start() {
    return new Promise((resolve, reject) => {
      const onEnd = ({ errors }) => {
        if (errors.length > 0) return reject(new Error('The program could not be built.'));
        this.#turn = this.#turn
          .then(() => this.#restart())
          .then(resolve, (error) => {
            reject(error);
            if (!this.#stopped) console.error(`${error.message} It is started again at the next change.`);
          });
      };
      this.#watch({ name: 'restart', setup: (build) => build.onEnd(onEnd) }).catch(reject);
    });
  }

  async #watch(plugin) {
    this.#builds = await esbuild.context({ ...programOptions(this.#folder), plugins: [plugin] });
    await this.#builds.watch();
  }

  async stop() {
    this.#stopped = true;
    await this.#builds?.dispose();
    await this.#end();
  }

  async #restart() {
    await this.#end();
    if (this.#stopped) return;
    // The pages come from Vite; the program still fills in its part of the page's head here.
    mkdirSync(join(this.#folder, 'web'), { recursive: true });
    copyFileSync(join(root, 'web/index.html'), join(this.#folder, 'web/index.html'));
    const child = spawn(process.execPath, ['--enable-source-maps', join(this.#folder, 'main.js'), 'serve'], {
      cwd: root,
      // Vite has the port of the pages, and passes on to this one what is not a page.
      env: { ...process.env, SIGNALBOX_WEB_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((done) => child.once('close', done));
    this.#child = { child, exited };
    await new Promise((done, fail) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        console.log(line);
        this.addresses ??= readyAddresses(line);
        if (this.addresses) done();
      });
      exited.then((code) => {
        this.addresses = undefined;
        fail(new Error(`The program has ended with exit code ${code}.`));
      });
    });
  }

  async #end() {
    this.#child?.child.kill('SIGTERM');
    await this.#child?.exited;
    this.#child = undefined;
    this.addresses = undefined;
  }
}

function readyAddresses(line) {
  try {
    const event = JSON.parse(line);
    return event.msg === 'ready' ? event.addresses : undefined;
  } catch {
    return undefined;
  }
}

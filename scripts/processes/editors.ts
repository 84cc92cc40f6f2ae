import { pause } from '../cluster/exporter.ts';
import type { ApiClient } from './api-client.ts';

const editorCount = 4;
const everyMs = 250;

interface Edited {
  id: string;
  /** The number in its name, as last acknowledged. */
  acknowledged: number;
  /** As last sent. */
  sent: number;
}

/** People who each change one dashboard over and over, and read it back. */
export class Editors {
  readonly #api: ApiClient;
  readonly #edited: Edited[] = [];
  #isRunning = true;
  #running: Promise<unknown> = Promise.resolve();
  edits = 0;
  /** Reads that showed less than was acknowledged before. */
  lostEdits = 0;

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async start(): Promise<void> {
    for (let count = 0; count < editorCount; count += 1) {
      const answer = await this.#api.call('POST', '/dashboards', { name: '0', tiles: [] });
      if (!answer) throw new Error('no dashboard could be created');
      this.#edited.push({ id: (answer.json as { data: { id: string } }).data.id, acknowledged: 0, sent: 0 });
    }
    this.#running = Promise.all(this.#edited.map((edited) => this.#edit(edited)));
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    await this.#running;
  }

  async #edit(edited: Edited): Promise<void> {
    for (; this.#isRunning; await pause(everyMs)) {
      edited.sent += 1;
      this.edits += 1;
      const path = `/dashboards/${edited.id}`;
      if (await this.#api.call('PUT', path, { name: `${edited.sent}`, tiles: [] })) edited.acknowledged = edited.sent;
      const read = await this.#api.call('GET', path);
      if (!read) continue;
      const name = Number((read.json as { data: { name: string } }).data.name);
      if (name < edited.acknowledged || name > edited.sent) this.lostEdits += 1;
    }
  }
}

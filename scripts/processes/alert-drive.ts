import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ingestionKey } from '../../bench/program.ts';
import type { Random } from '../../test/query/brute-force/random.ts';
import { pause } from '../cluster/exporter.ts';
import type { ApiClient } from './api-client.ts';

const alertCount = 20;
const minuteMs = 60_000;
/** Into the minute: late enough that it has begun for everyone, early enough that a retry is in time. */
const sendAtMs = 5_000;
const inTimeMs = 45_000;

export interface AlertOutcome {
  windows: number;
  expected: number;
  lost: number;
  /** Messages beyond those expected, with a key that no other message has. */
  doubled: number;
  /** The same message once more, recognisable by its idempotency key. */
  repeated: number;
}

/** Alerts that fire in the minutes in which their service logs something, and what a receiver hears of it. */
export class AlertDrive {
  readonly #api: ApiClient;
  readonly #otlp: () => string;
  readonly #random: Random;
  readonly #received: Received[] = [];
  readonly #alertIds: string[] = [];
  /** By minute, which services logged. */
  readonly #logged = new Map<number, ReadonlySet<number>>();
  readonly #receiver = createServer((request, response) => {
    void this.#remember(request).then(() => response.writeHead(200).end());
  });
  #isRunning = true;
  #running: Promise<void> = Promise.resolve();

  constructor(deps: { api: ApiClient; otlp: () => string; random: Random }) {
    this.#api = deps.api;
    this.#otlp = deps.otlp;
    this.#random = deps.random;
  }

  async start(): Promise<void> {
    await new Promise<void>((done) => this.#receiver.listen(0, '127.0.0.1', done));
    const url = `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}/hook`;
    const webhook = await this.#create('/webhooks', { name: 'receiver', service: 'generic', url });
    const sourceId = await this.#logSource();
    const tiles = Array.from({ length: alertCount }, (_, index) => ({
      name: serviceOf(index),
      series: [{ sourceId, aggFn: 'count', where: `ServiceName:"${serviceOf(index)}"`, groupBy: [] }],
    }));
    const dashboard = await this.#create('/dashboards', { name: 'Services', tiles });
    for (const tile of dashboard.tiles ?? []) {
      const alert = await this.#create('/alerts', {
        ...{ dashboardId: dashboard.id, tileId: tile.id, threshold: 1, thresholdType: 'above', interval: '1m' },
        channel: { type: 'webhook', webhookId: webhook.id },
      });
      this.#alertIds.push(alert.id);
    }
    this.#running = this.#drive();
  }

  /** After two minutes, in which the last windows are evaluated and their messages sent. */
  async stop(): Promise<AlertOutcome> {
    this.#isRunning = false;
    await this.#running;
    await pause(2 * minuteMs);
    this.#receiver.closeAllConnections();
    this.#receiver.close();
    return this.#compare();
  }

  async #drive(): Promise<void> {
    while (this.#isRunning) {
      const minute = Math.floor(Date.now() / minuteMs) + 1;
      await pause(minute * minuteMs + sendAtMs - Date.now());
      const logging = new Set(this.#alertIds.map((_, index) => index).filter(() => this.#random.next() < 0.5));
      await this.#log([...logging].map(serviceOf));
      if (Date.now() - minute * minuteMs > inTimeMs) throw new Error('logs were not accepted in time');
      this.#logged.set(minute, logging);
    }
  }

  async #log(services: readonly string[]): Promise<void> {
    const timeUnixNano = `${BigInt(Date.now()) * 1_000_000n}`;
    const resourceLogs = services.map((service) => ({
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeLogs: [{ logRecords: [{ timeUnixNano, body: { stringValue: 'something happened' } }] }],
    }));
    const headers = { authorization: ingestionKey, 'content-type': 'application/json' };
    const body = JSON.stringify({ resourceLogs });
    for (;;) {
      const answer = await fetch(`${this.#otlp()}/v1/logs`, { method: 'POST', headers, body }).catch(() => undefined);
      if (answer?.status === 200) return;
      await pause(1_000);
    }
  }

  /** What the states of each alert should have been, against what was received. */
  #compare(): AlertOutcome {
    const minutes = [...this.#logged.keys()].sort((one, other) => one - other);
    const outcome = { windows: minutes.length * alertCount, expected: 0, lost: 0, doubled: 0, repeated: 0 };
    for (const [index, alertId] of this.#alertIds.entries()) {
      const expected = changesOf(minutes.map((minute) => ({ minute, fires: this.#logged.get(minute)?.has(index) })));
      const keys = new Map<string, string>();
      for (const { key, change } of this.#received.filter((received) => received.alertId === alertId)) {
        if (keys.has(key)) outcome.repeated += 1;
        keys.set(key, change);
      }
      const changes = [...keys.values()];
      outcome.expected += expected.length;
      outcome.lost += expected.filter((change) => !changes.includes(change)).length;
      outcome.doubled += changes.length - new Set(changes.filter((change) => expected.includes(change))).size;
    }
    return outcome;
  }

  async #remember(request: IncomingMessage): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { alert, state, endTime } = JSON.parse(Buffer.concat(chunks).toString()) as Message;
    const key = String(request.headers['idempotency-key']);
    this.#received.push({ alertId: alert.id, key, change: changeAt(endTime / minuteMs - 1, state) });
  }

  async #create(path: string, body: object): Promise<Created> {
    const answer = await this.#api.call('POST', path, body);
    if (!answer) throw new Error(`${path} failed: ${this.#api.failures.at(-1)}`);
    return (answer.json as { data: Created }).data;
  }

  async #logSource(): Promise<string | undefined> {
    const sources = (await this.#api.call('GET', '/sources'))?.json as { data: { id: string; kind: string }[] };
    return sources.data.find(({ kind }) => kind === 'log')?.id;
  }
}

interface Created {
  id: string;
  tiles?: { id: string }[];
}

interface Message {
  alert: { id: string };
  state: string;
  /** When the window ended, in milliseconds. */
  endTime: number;
}

interface Received {
  alertId: string;
  key: string;
  change: string;
}

const serviceOf = (index: number) => `driven-${index}`;
const changeAt = (minute: number, state: string) => `${state} in minute ${minute}`;

function changesOf(windows: readonly { minute: number; fires: boolean | undefined }[]): string[] {
  return windows.flatMap(({ minute, fires = false }, index) =>
    fires === (windows[index - 1]?.fires ?? false) ? [] : [changeAt(minute, fires ? 'ALERT' : 'OK')],
  );
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AlertEvaluator } from '../../src/evaluator/evaluate-alert.ts';
import type { TileReader } from '../../src/evaluator/ports.ts';
import { silentLogger as logger } from '../../src/kernel/logger.ts';
import { type BenchEngine, startBenchEngine, untilMerged } from '../bench-engine.ts';
import { cpuMs } from '../process-usage.ts';
import { withFolder } from '../program.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';
import { type AlertStore, addAlerts, addTiles, minuteMs, openAlertStore, tenant } from './alert-store.ts';
import { EvaluatorRole } from './evaluator-role.ts';

const logsPerMinute = 10_000;
const dayMs = 24 * 60 * minuteMs;
const previewDays = 30;
/** So long the program has been up when a minute of it counts: what it runs is compiled, as in one that is up. */
const minutesBefore = 9;
/** Bound and measured take turns. */
const turnsMade = 3;
/** Of the thousand: each takes as long as any other. */
const aloneInTurn = 250;

interface Cost {
  /** Of this process and the engine together. */
  cpuMs: number;
  seconds: number;
}

/**
 * Alerts that are due together on one source: claimed, read, evaluated and recorded by the evaluator role as the program runs
 * it, against one statement and one transaction each; and a preview over thirty days.
 */
export async function benchAlerts(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const engine = await startBenchEngine(join(folder, 'engine'));
    try {
      const endMs = Math.floor(Date.now() / minuteMs) * minuteMs;
      await engine.databases.ensure('otel');
      await loadLogs(engine, endMs);
      await untilMerged(engine);
      const measure = new Measure(engine, folder, endMs);
      const hundred = await measure.together(100, 100);
      const turns: Turn[] = [];
      for (let made = 0; made < turnsMade; made++) turns.push(await measure.turn());
      const tenThousand = await measure.together(10_000, 100);
      return [
        besideAlone('1,000 alerts on 100 tiles of one source; bound = one statement each', turns, 'fewTiles'),
        besideAlone('1,000 alerts on 1,000 tiles with a filter each', turns, 'ownTiles'),
        {
          name: '10,000 alerts due together: due → recorded, the slowest of ten minutes',
          unit: 's',
          subject: tenThousand.slowestSeconds,
          goal: '≤ 3',
        },
        { name: '10,000 alerts: the last of them', unit: 'CPU s', subject: tenThousand.cpuMs / 1000, goal: '≤ 3' },
        {
          name: 'time of 10,000 alerts; bound = of 100',
          unit: 's',
          subject: tenThousand.seconds,
          bound: hundred.seconds,
          ratio: tenThousand.seconds / hundred.seconds,
          goal: '≤ 10',
        },
        await measure.preview(),
      ];
    } finally {
      await engine.stop();
    }
  });
}

/** CPU of a thousand alerts, in milliseconds. */
interface Turn {
  fewTiles: number;
  ownTiles: number;
  alone: number;
}

function besideAlone(name: string, turns: readonly Turn[], which: 'fewTiles' | 'ownTiles'): Row {
  const subject = median(turns.map((turn) => turn[which]));
  const bound = median(turns.map(({ alone }) => alone));
  return { name, unit: 'CPU ms', subject, bound, ratio: bound / subject, goal: '≥ 50' };
}

class Measure {
  readonly #engine: BenchEngine;
  readonly #folder: string;
  readonly #endMs: number;
  #runs = 0;

  constructor(engine: BenchEngine, folder: string, endMs: number) {
    this.#engine = engine;
    this.#folder = folder;
    this.#endMs = endMs;
  }

  async turn(): Promise<Turn> {
    const fewTiles = await this.together(1_000, 100);
    const ownTiles = await this.together(1_000, 1_000);
    const alone = await this.oneByOne(aloneInTurn, 100);
    const ofAll = (alone.cpuMs * 1_000) / aloneInTurn;
    return { fewTiles: fewTiles.cpuMs, ownTiles: ownTiles.cpuMs, alone: ofAll };
  }

  /** The last of some minutes of the evaluator role, from its end to the last recorded evaluation. */
  together(alerts: number, tiles: number): Promise<Cost & { slowestSeconds: number }> {
    const firstWindowEndMs = this.#endMs - minutesBefore * minuteMs;
    return this.#over({ alerts, tiles, firstWindowEndMs }, async (store) => {
      const role = new EvaluatorRole(store, alerts);
      const minutes: Cost[] = [];
      for (let endMs = firstWindowEndMs; endMs <= this.#endMs; endMs += minuteMs) {
        minutes.push(await this.#cost(() => role.evaluateWindowsUntil(endMs)));
      }
      await role.stop();
      const slowestSeconds = Math.max(...minutes.map(({ seconds }) => seconds));
      return { cpuMs: 0, seconds: 0, ...minutes.at(-1), slowestSeconds };
    });
  }

  /** Each alert separately: one statement and one transaction each. */
  oneByOne(alerts: number, tiles: number): Promise<Cost> {
    return this.#over({ alerts, tiles, firstWindowEndMs: this.#endMs }, async ({ metadata, services, clock }) => {
      const alone: TileReader = {
        read: (request) => services.tilesReader.readTiles([request])[0] ?? Promise.reject(new Error('not read')),
      };
      const evaluator = new AlertEvaluator({
        reader: alone,
        names: metadata.tileNames,
        mentions: { find: async () => [] },
        muting: { of: async () => () => undefined },
        samples: services.sampleEvents,
        writer: {
          commit: (evaluations) => Promise.allSettled(evaluations.map((each) => metadata.evaluations.commit(each))),
          recordFailures: (all) => Promise.allSettled(all.map((each) => metadata.evaluations.recordFailure(each))),
        },
        clock,
        logger,
        delayMs: 0,
        readBudgetMs: 35_000,
        leaseMs: minuteMs,
      });
      const nowMs = clock.nowMs();
      const claim = { owner: 'bench', nowMs, dueBeforeMs: nowMs, leaseUntilMs: nowMs + 10 * minuteMs, max: alerts };
      const leased = await metadata.alertLeases.claimDue(claim);
      return this.#cost(async () => {
        for (const each of leased) await evaluator.evaluate([each], new AbortController().signal);
      });
    });
  }

  /** One-minute windows over thirty days of one tile. */
  async preview(): Promise<Row> {
    return this.#over({ alerts: 0, tiles: 1, firstWindowEndMs: this.#endMs }, async ({ services }, [tile]) => {
      const operation = services.operations.find(({ id }) => id === 'previewAlert');
      if (!operation || !tile) throw new Error('there is nothing to preview');
      const alert = { ...tile, threshold: 500, thresholdType: 'above', interval: '1m' };
      const body = { alert, startTime: this.#endMs - previewDays * dayMs, endTime: this.#endMs };
      const principal = { kind: 'personal', tenantId: tenant.id, keyId: 'bench', role: 'admin' } as const;
      const { signal } = new AbortController();
      const ask = () => operation.handle({ principal, params: {}, query: {}, body, signal, requestId: 'bench' });
      await ask();
      const cost = await this.#cost(async () => JSON.stringify(await ask()));
      return { name: 'preview: 43,200 windows over 30 days', unit: 'CPU s', subject: cost.cpuMs / 1000, goal: '≤ 2' };
    });
  }

  async #over<T>(
    { alerts, tiles, firstWindowEndMs }: { alerts: number; tiles: number; firstWindowEndMs: number },
    work: (store: AlertStore, tiles: Awaited<ReturnType<typeof addTiles>>) => Promise<T>,
  ): Promise<T> {
    const folder = join(this.#folder, `run-${this.#runs++}`);
    mkdirSync(folder);
    const store = await openAlertStore(this.#engine, folder, this.#endMs + 1_000);
    try {
      const watched = await addTiles(store, conditions(tiles));
      await addAlerts(store, watched, { count: alerts, firstWindowEndMs });
      return await work(store, watched);
    } finally {
      await store.close();
    }
  }

  async #cost(work: () => Promise<unknown>): Promise<Cost> {
    const cpu = () => cpuMs(process.pid) + cpuMs(this.#engine.pid);
    const [before, startedMs] = [cpu(), performance.now()];
    await work();
    return { cpuMs: cpu() - before, seconds: (performance.now() - startedMs) / 1000 };
  }
}

/** Twenty services times kinds of conditions: severity, an attribute, words of the body. */
function conditions(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const service = `ServiceName:service-${index % 20}`;
    const variant = Math.floor(index / 100);
    const kinds = [
      'SeverityText:error',
      'SeverityText:warn',
      `LogAttributes.http.status_code:50${variant % 10}`,
      `Body:timeout AND LogAttributes.user:u${variant}`,
      `"connection refused" AND NOT LogAttributes.user:u${variant}`,
    ];
    const kind = kinds[Math.floor(index / 20) % 5] ?? '';
    return variant === 0
      ? `${service} AND ${kind}`
      : `${service} AND ${kind} AND NOT LogAttributes.user:u${variant + 50}`;
  });
}

/** An hour with ten thousand logs a minute, after thirty days with ten. */
async function loadLogs(engine: BenchEngine, endMs: number): Promise<void> {
  const busyMs = 60 * minuteMs;
  const dense = { rows: (busyMs / minuteMs) * logsPerMinute, startMs: endMs - busyMs, spanMs: busyMs };
  const spanMs = previewDays * dayMs - busyMs;
  const sparse = { rows: Math.round(spanMs / 6_000), startMs: endMs - previewDays * dayMs, spanMs };
  for (const { rows, startMs, spanMs: span } of [sparse, dense]) {
    for (let first = 0; first < rows; first += 100_000) {
      const count = Math.min(100_000, rows - first);
      await engine.client.command(logStatement({ first, count, startMs, stepMs: span / rows }), { timeoutMs: 120_000 });
    }
  }
}

function logStatement({
  first,
  count,
  startMs,
  stepMs,
}: {
  first: number;
  count: number;
  startMs: number;
  stepMs: number;
}): string {
  const hash = (salt: number) => `cityHash64(number, ${salt})`;
  return `INSERT INTO otel.otel_logs (Timestamp, ServiceName, SeverityText, SeverityNumber, Body, LogAttributes)
    SELECT fromUnixTimestamp64Milli(toInt64(${startMs} + number * ${stepMs}), 'UTC'),
      concat('service-', toString(${hash(1)} % 20)),
      ['info', 'info', 'info', 'info', 'info', 'info', 'info', 'warn', 'warn', 'error'][${hash(2)} % 10 + 1], 9,
      concat(['request completed in', 'upstream timeout after', 'connection refused by', 'cache hit for'][${hash(3)} % 4 + 1], ' ', toString(${hash(4)} % 100000)),
      map('http.status_code', toString(if(${hash(5)} % 20 = 0, 500 + ${hash(5)} % 10, 200)), 'user', concat('u', toString(${hash(6)} % 200)))
    FROM numbers(${first}, ${count})`;
}

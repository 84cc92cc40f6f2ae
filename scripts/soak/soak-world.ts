import { Program, sourceIdsOf } from '../../bench/program.ts';
import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import { CountingReceiver } from './counting-receiver.ts';
import { SmallDisk } from './small-disk.ts';
import { TcpGate } from './tcp-gate.ts';

const alertCount = 5;

/** The program over PostgreSQL and the embedded engine, with everything around it that a fault may strike. */
export class SoakWorld {
  readonly disk = new SmallDisk();
  readonly receiver = new CountingReceiver();
  readonly #world: Started;

  private constructor(parts: Started) {
    this.#world = parts;
  }

  static async start(): Promise<SoakWorld> {
    const postgres = await startPostgresServer();
    const gate = new TcpGate(postgres.url);
    const parts: Started = { postgres, gate, alertIds: [], dashboardId: '' };
    const world = new SoakWorld(parts);
    parts.program = await Program.start(world.disk.folder, {
      SIGNALBOX_POSTGRES_URL: await gate.start(),
      SIGNALBOX_SECRET_KEY: 'soak-0123456789abcdef0123456789abcdef',
      SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      SIGNALBOX_WEBHOOK_TIMEOUT_MS: '5000',
      SIGNALBOX_ALERT_DELAY_MS: '2000',
    });
    await world.#prepare(await world.receiver.start());
    return world;
  }

  get program(): Program {
    if (!this.#world.program) throw new Error('the program has not been started');
    return this.#world.program;
  }

  get gate(): TcpGate {
    return this.#world.gate;
  }

  get dashboardId(): string {
    return this.#world.dashboardId;
  }

  get alertIds(): readonly string[] {
    return this.#world.alertIds;
  }

  async stop(): Promise<void> {
    this.disk.free();
    await this.#world.program?.stop();
    this.receiver.stop();
    this.gate.stop();
    await this.#world.postgres.stop();
    this.disk.remove();
  }

  /** Alerts that fire in every other minute, when the logs come that they count. */
  async #prepare(url: string): Promise<void> {
    const sources = await sourceIdsOf(this.program);
    const webhook = await this.#create('/webhooks', { name: 'soak', service: 'generic', url });
    const counted = { sourceId: sources.get('log'), aggFn: 'count', where: 'ServiceName:toggle', groupBy: [] };
    const dashboard = await this.#create('/dashboards', { name: '0', tiles: [{ name: 'Toggle', series: [counted] }] });
    this.#world.dashboardId = dashboard.id;
    const channel = { type: 'webhook', webhookId: webhook.id };
    const at = { dashboardId: dashboard.id, tileId: dashboard.tiles?.[0]?.id };
    for (let count = 0; count < alertCount; count += 1) {
      const alert = await this.#create('/alerts', {
        ...at,
        threshold: 1,
        thresholdType: 'above',
        interval: '1m',
        channel,
      });
      this.#world.alertIds.push(alert.id);
    }
  }

  async #create(path: string, body: object): Promise<Created> {
    const { data } = (await this.program.call('POST', `/api/v2${path}`, body)) as { data: Created };
    return data;
  }
}

interface Created {
  id: string;
  tiles?: { id: string }[];
}

interface Started {
  postgres: PostgresServer;
  gate: TcpGate;
  program?: Program;
  alertIds: string[];
  dashboardId: string;
}

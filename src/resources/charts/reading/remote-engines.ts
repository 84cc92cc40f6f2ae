import type { SecretBox } from '../../../access/secret-box.ts';
import { AppError } from '../../../contract/errors.ts';
import { TelemetryError } from '../../../telemetry/ports.ts';
import type { Connection } from '../../connections/connection-repository.ts';
import { endpointUrl } from '../../connections/endpoint-url.ts';
import type { TargetGuard } from '../../webhooks/target-guard-port.ts';
import type { ConnectionEngine, RunnerForConnection } from './connection-engine.ts';

/** The address and user of a connection. */
export interface RemoteEndpoint {
  /** Origin and path prefix, without a trailing slash. */
  url: string;
  user?: string;
  secret?: string;
}

export interface RemoteEnginesDeps {
  secrets: SecretBox;
  targets: TargetGuard;
  /** Makes the client of one endpoint. */
  connect: (endpoint: RemoteEndpoint) => ClosableEngine;
}

type ClosableEngine = ConnectionEngine & { close(): Promise<void> };

interface Opened {
  updatedAt: string;
  engine: ClosableEngine;
}

const openedMax = 100;

/** The endpoints behind user-made connections: one client each, replaced when the connection changes. */
export class RemoteEngines implements RunnerForConnection {
  readonly #deps: RemoteEnginesDeps;
  readonly #opened = new Map<string, Opened>();

  constructor(deps: RemoteEnginesDeps) {
    this.#deps = deps;
  }

  /** Throws `query_invalid` when the host is not a web address or may not be called; it is checked at every use. */
  async open(connection: Connection): Promise<ConnectionEngine> {
    const url = endpointUrl(connection.host);
    if (!url) throw unusable(connection, 'has no web address.');
    const result = await this.#deps.targets.check(url.href);
    if (!result.ok) throw unusable(connection, `may not be called: ${result.reason}`);
    const opened = this.#opened.get(connection.id);
    if (opened?.updatedAt === connection.updatedAt) return opened.engine;
    const engine = naming(connection.name, this.#deps.connect(this.#endpointOf(connection, url)));
    this.#opened.set(connection.id, { updatedAt: connection.updatedAt, engine });
    await opened?.engine.close();
    await this.#forgetOldest();
    return engine;
  }

  async close(): Promise<void> {
    const all = [...this.#opened.values()];
    this.#opened.clear();
    await Promise.all(all.map(({ engine }) => engine.close()));
  }

  #endpointOf({ id, username, sealedPassword }: Connection, url: URL): RemoteEndpoint {
    return {
      url: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
      ...(username !== '' && { user: username }),
      ...(sealedPassword !== undefined && { secret: this.#deps.secrets.open(sealedPassword, id) }),
    };
  }

  async #forgetOldest(): Promise<void> {
    const [oldest] = this.#opened;
    if (!oldest || this.#opened.size <= openedMax) return;
    this.#opened.delete(oldest[0]);
    await oldest[1].engine.close();
  }
}

/** The engine with the connection's name in its errors, for people who know the connection and not its address. */
function naming(name: string, engine: ClosableEngine): ClosableEngine {
  const named = (error: unknown) => {
    if (!(error instanceof TelemetryError)) throw error;
    throw new TelemetryError(error.kind, error.message, error.engineCode, name);
  };
  return {
    runner: { run: (...query) => engine.runner.run(...query).catch(named) },
    schemas: { describe: (...table) => engine.schemas.describe(...table).catch(named) },
    close: () => engine.close(),
  };
}

function unusable({ name }: Connection, reason: string): AppError {
  return new AppError('query_invalid', { public: `The connection "${name}" of this source ${reason}` });
}

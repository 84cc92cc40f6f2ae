import type { SecretBox } from '../../access/secret-box.ts';
import type { ConnectionInput } from '../../contract/connection.ts';
import { AppError } from '../../contract/errors.ts';
import { type InUseBy, inUseText } from '../../contract/in-use.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Connection, ConnectionRepository } from './connection-repository.ts';
import { endpointUrl } from './endpoint-url.ts';
import type { ReferenceUsers } from './reference-users.ts';

export interface ConnectionServiceDeps {
  connections: ConnectionRepository;
  users: ReferenceUsers;
  secrets: SecretBox;
  ids: Ids;
  clock: Clock;
}

/** The rules of connections (contract §9). Every method stays within one tenant. */
export class ConnectionService {
  readonly #connections: ConnectionRepository;
  readonly #users: ReferenceUsers;
  readonly #secrets: SecretBox;
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor({ connections, users, secrets, ids, clock }: ConnectionServiceDeps) {
    this.#connections = connections;
    this.#users = users;
    this.#secrets = secrets;
    this.#ids = ids;
    this.#clock = clock;
  }

  list(tenantId: string): Promise<Connection[]> {
    return this.#connections.list(tenantId);
  }

  /** Throws `connection_not_found`, also for another tenant's id (decisions F2). */
  async get(tenantId: string, id: string): Promise<Connection> {
    const connection = await this.#connections.find(tenantId, id);
    if (!connection) throw new AppError('connection_not_found');
    return connection;
  }

  /** Throws `request_invalid`. */
  async create(tenantId: string, input: ConnectionInput): Promise<Connection> {
    const createdAt = this.#now();
    const connection = this.#merge({ id: this.#ids.hex24(), builtIn: false, createdAt }, input);
    await this.#connections.insert(tenantId, connection);
    return connection;
  }

  /** Replaces the record; what is written only, and left out, is kept. Throws `connection_not_found`, `conflict`. */
  async replace(tenantId: string, id: string, input: ConnectionInput): Promise<Connection> {
    const stored = await this.#changeable(tenantId, id);
    const connection = this.#merge(stored, input);
    if (!(await this.#connections.replace(tenantId, connection))) throw new AppError('connection_not_found');
    return connection;
  }

  /**
   * Answers the ids of the sources that were removed with it. Throws `connection_not_found`, and `conflict` when it is
   * built in or, without `force`, while sources or tiles of raw SQL read from it.
   */
  async remove(tenantId: string, id: string, { force } = { force: false }): Promise<string[]> {
    await this.#changeable(tenantId, id);
    if (!force) rejectInUse(await this.#users.usersOf(tenantId, { kind: 'connection', id }));
    const removal = await this.#connections.remove(tenantId, id, { force });
    if (removal.kind === 'missing') throw new AppError('connection_not_found');
    if (removal.kind === 'removed') return removal.sources;
    // A source came between the look and the removal.
    throw inUse(removal.sources.map((source) => ({ kind: 'source', ...source })));
  }

  async #changeable(tenantId: string, id: string): Promise<Connection> {
    const connection = await this.get(tenantId, id);
    if (connection.builtIn) {
      throw new AppError('conflict', { public: 'The built-in connection cannot be changed or deleted.' });
    }
    return connection;
  }

  #merge(stored: Pick<Connection, 'id' | 'builtIn' | 'createdAt'> & Partial<Connection>, input: ConnectionInput) {
    const { name, host, username, password } = input;
    checkAddress('host', host);
    checkAddress('prometheusEndpoint', input.prometheusEndpoint ?? '');
    // A kept password must not travel to another host than the one it was entered for.
    const kept = host === stored.host ? stored.sealedPassword : undefined;
    const sealedPassword = password ? this.#secrets.seal(password, stored.id) : kept;
    const prefix = input.hyperdxSettingPrefix === undefined ? stored.hyperdxSettingPrefix : input.hyperdxSettingPrefix;
    const endpoint = input.prometheusEndpoint === undefined ? stored.prometheusEndpoint : input.prometheusEndpoint;
    const isPrometheusEndpoint = input.isPrometheusEndpoint ?? stored.isPrometheusEndpoint;
    const { id, builtIn, createdAt } = stored;
    const connection: Connection = { id, name, host, username, builtIn, createdAt, updatedAt: this.#now() };
    if (sealedPassword !== undefined) connection.sealedPassword = sealedPassword;
    if (prefix) connection.hyperdxSettingPrefix = prefix;
    if (isPrometheusEndpoint !== undefined) connection.isPrometheusEndpoint = isPrometheusEndpoint;
    if (endpoint) connection.prometheusEndpoint = endpoint;
    return connection;
  }

  #now(): string {
    return new Date(this.#clock.nowMs()).toISOString();
  }
}

function rejectInUse(users: readonly InUseBy[]): void {
  if (users.length > 0) throw inUse(users);
}

function inUse(users: readonly InUseBy[]): AppError {
  const text = `The connection is in use by ${inUseText(users)}. Change or delete these first; ?force=true deletes the connection and the sources that read from it.`;
  return new AppError('conflict', { public: text });
}

/** An empty address may be stored (contract §9); a written one must be a web address. */
function checkAddress(field: string, address: string): void {
  if (address === '') return;
  const url = endpointUrl(address);
  if (!url) {
    throw new AppError('request_invalid', {
      public: `${field}: must be a web address such as http://clickhouse:8123.`,
    });
  }
  // The URL is visible to all readers; the password has a sealed field.
  if (url.username || url.password) {
    throw new AppError('request_invalid', { public: `${field}: must not contain a user name or password.` });
  }
}

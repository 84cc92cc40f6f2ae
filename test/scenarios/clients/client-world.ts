import { ApiWorld, type WorldOptions } from '../../support/api-world.ts';
import { RawClient } from '../../support/raw-http.ts';
import { TenantActor } from '../../support/tenant-objects.ts';
import { credentials, ids, twoTenancies } from '../../support/two-tenancies.ts';

/** Ids that a client finds in its configuration. */
export interface KnownIds {
  log: string;
  webhook: string;
}

/** Both flavours on real ports, with the path words that managed clients hard-code. */
export class ClientWorld {
  readonly world: ApiWorld;
  readonly #origins: { selfHosted: string; managed: string };

  private constructor(world: ApiWorld, origins: { selfHosted: string; managed: string }) {
    [this.world, this.#origins] = [world, origins];
  }

  static async open(options: WorldOptions = {}): Promise<ClientWorld> {
    const world = await ApiWorld.open(twoTenancies, { aliases: true, ...options });
    const [selfHosted, managed] = [await world.listen('selfHosted'), await world.listen('managed')];
    return new ClientWorld(world, { selfHosted, managed });
  }

  /** Bearer, below `/api/v2`. */
  selfHosted(headers: Record<string, string> = {}): RawClient {
    return new RawClient(this.#origins.selfHosted, '/api/v2', { authorization: credentials.personal, ...headers });
  }

  /** Basic, below the path of a service. */
  managed(headers: Record<string, string> = {}, word = '/clickstack'): RawClient {
    const base = `/v1/organizations/${ids.organization}/services/${ids.service}${word}`;
    return new RawClient(this.#origins.managed, base, { authorization: credentials['cloud admin'], ...headers });
  }

  async known(flavour: 'selfHosted' | 'managed'): Promise<KnownIds> {
    const tenants = await this.world.metadata.identities.listTenants();
    const tenant = flavour === 'managed' ? ids.service : tenants.find(({ name }) => name === 'Own')?.id;
    const actor = new TenantActor(this.world.operations, tenant ?? '');
    const sources = await actor.act<{ id: string; kind: string }[]>('listSources');
    const webhooks = await actor.act<{ id: string }[]>('listWebhooks');
    return { log: sources.find(({ kind }) => kind === 'log')?.id ?? '', webhook: webhooks[0]?.id ?? '' };
  }

  close(): Promise<void> {
    return this.world.close();
  }
}

/** Go's standard client. */
export const goHeaders = { 'user-agent': 'Go-http-client/1.1', 'accept-encoding': 'gzip' };
/** curl without further options. */
export const curlHeaders = { 'user-agent': 'curl/8.5.0', accept: '*/*' };

import { afterEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/config/config.ts';
import { ApiWorld, type WorldOptions } from '../../support/api-world.ts';
import { credentials, ids, managedPath, twoTenancies } from '../../support/two-tenancies.ts';

let world: ApiWorld | undefined;
afterEach(() => world?.close());

async function open(options: WorldOptions): Promise<ApiWorld> {
  world = await ApiWorld.open(twoTenancies, options);
  return world;
}

describe('decisions F9: rate limits of the managed flavour', () => {
  const { rateLimit } = loadConfig({ SIGNALBOX_FLAVOUR: 'managed' });

  it('are 10 requests per 10 s and key; the eleventh learns when to come back', async () => {
    if (!rateLimit) throw new Error('the managed flavour has a limit by default');
    const api = await open({ rateLimit });
    const list = (credential: keyof typeof credentials) =>
      api.send('managed', 'GET', managedPath('/sources'), { authorization: credentials[credential] });
    for (let count = 0; count < 10; count++) expect((await list('cloud admin')).status).toBe(200);
    await api.clock.advance(2_500);
    const refused = await list('cloud admin');
    expect([refused.status, refused.json]).toEqual([429, { error: 'TOO_MANY_REQUESTS', status: 429 }]);
    expect(refused.headers).toMatchObject({
      'retry-after': '8',
      'x-ratelimit-reset': '8',
      ratelimit: '"default";r=0;t=8',
      'ratelimit-policy': '"default";q=10;w=10',
    });
    expect((await list('cloud read')).status).toBe(200);
    await api.clock.advance(7_500);
    expect((await list('cloud admin')).status).toBe(200);
  });

  it('count only keys that are valid; failed authentication is limited per address', async () => {
    const api = await open({ rateLimit: { requests: 10, windowMs: 10_000 } });
    const statuses = [];
    for (let count = 0; count < 31; count++) {
      const request = { authorization: credentials['wrong cloud secret'] };
      statuses.push((await api.send('managed', 'GET', managedPath('/sources'), request)).status);
    }
    expect(statuses).toEqual([...Array<number>(30).fill(401), 429]);
    const valid = { authorization: credentials['cloud admin'] };
    expect((await api.send('managed', 'GET', managedPath('/sources'), valid)).status).toBe(200);
  });
});

describe('decisions F7: path words of managed clients in the wild', () => {
  const base = `/v1/organizations/${ids.organization}/services/${ids.service}`;
  const authorization = credentials['cloud admin'];
  const paths = ['/clickstack/dashboards', '/clickstack/alerts', '/clickstack/sources', `/clickpipes/${ids.pipe}`];

  it('are no paths by default', async () => {
    const api = await open({});
    for (const path of paths)
      expect((await api.send('managed', 'GET', base + path, { authorization })).status).toBe(404);
  });

  it('are served beside the own words with SIGNALBOX_ALIASES=1, with the same answers', async () => {
    const api = await open({ aliases: loadConfig({ SIGNALBOX_ALIASES: '1' }).aliases });
    for (const path of paths) {
      const own = path.replace('/clickstack', '/stack').replace('/clickpipes', '/pipes');
      const [alias, plain] = [
        await api.send('managed', 'GET', base + path, { authorization }),
        await api.send('managed', 'GET', base + own, { authorization }),
      ];
      expect([alias.status, plain.status]).toEqual([200, 200]);
      expect(resultOf(alias.json)).toEqual(resultOf(plain.json));
      expect((await api.send('managed', 'GET', base + path)).status).toBe(401);
    }
  });
});

function resultOf(json: unknown): unknown {
  return (json as { result: unknown }).result;
}

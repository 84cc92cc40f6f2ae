import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawAnswer, RawClient } from '../../support/raw-http.ts';
import { ClientWorld, goHeaders } from './client-world.ts';

/**
 * The community's Terraform providers send a JSON content type with every request, also where there is no body, merge
 * state by the index of tiles and filters, and compare `config` and `series` as canonical JSON.
 */
let world: ClientWorld;
beforeAll(async () => {
  world = await ClientWorld.open();
});
afterAll(() => world?.close());

const always = { ...goHeaders, 'content-type': 'application/json' };
/** As the providers decode: `result`, else `data`; neither, or null, is an error. */
function payload({ json, text }: RawAnswer) {
  const found = json.result ?? json.data;
  if (found === undefined || found === null) throw new Error(`no payload in ${text}`);
  return found;
}

const modes: Record<'selfHosted' | 'managed', () => RawClient> = {
  selfHosted: () => world.selfHosted(always),
  managed: () => world.managed(always),
};

describe.each(['selfHosted', 'managed'] as const)('%s', (mode) => {
  const client = () => modes[mode]();

  it('GET and DELETE with a JSON content type and no body, or an empty one', async () => {
    for (const empty of [undefined, '']) {
      const { id } = payload(await client().send('POST', '/dashboards', '{"name":"x"}'));
      expect((await client().send('GET', '/dashboards', empty)).status).toBe(200);
      expect((await client().send('GET', `/dashboards/${id}`, empty)).status).toBe(200);
      expect((await client().send('DELETE', `/dashboards/${id}`, empty)).status).toBe(200);
      expect((await client().send('GET', `/dashboards/${id}`, empty)).status).toBe(404);
      expect((await client().send('DELETE', `/dashboards/${id}`, empty)).status).toBe(404);
    }
  });

  it('lists are never bare and never null, also when they are empty', async () => {
    for (const resource of ['/dashboards', '/dashboards/', '/alerts', '/alerts/', '/sources/']) {
      expect(Array.isArray(payload(await client().send('GET', resource)))).toBe(true);
    }
  });

  it('tiles and filters come back in number and order as sent, with nothing added and nothing dropped', async () => {
    const { log } = await world.known(mode);
    const tile = (name: string, x: number) => ({ name, x, y: 0, w: 4, h: 4 });
    const series = [{ type: 'time', sourceId: log, aggFn: 'count', where: '', whereLanguage: 'lucene', groupBy: [] }];
    const config = {
      displayType: 'number',
      sourceId: log,
      select: [{ aggFn: 'count', valueExpression: '', where: '' }],
    };
    const tiles = [
      { ...tile('b', 8), series },
      { ...tile('a', 4), config },
      { ...tile('b', 0), config },
    ];
    const filters = ['z', 'a'].map((name) => ({
      type: 'QUERY_EXPRESSION',
      name,
      expression: name,
      sourceId: log,
    }));
    const created = payload(await client().send('POST', '/dashboards', JSON.stringify({ name: 'x', tiles, filters })));
    const bare = (items: { id: string }[]) => items.map(({ id: _, ...rest }) => rest);
    expect(bare(created.tiles)).toEqual(tiles);
    expect(bare(created.filters)).toEqual(filters);
    // Absent stays absent: an invented null, "" or [] would be a difference for ever.
    expect(Object.keys(created).sort()).toEqual(['filters', 'id', 'name', 'tags', 'tiles']);
    const kept = { name: 'x', tiles: created.tiles, filters: created.filters };
    expect(payload(await client().send('PUT', `/dashboards/${created.id}`, JSON.stringify(kept)))).toEqual(created);
  });

  it('an alert comes back with its state, the channel’s keys as sent, and nothing for what was left out', async () => {
    const { log, webhook } = await world.known(mode);
    const series = [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }];
    const tiles = [{ name: 'Errors', series }];
    const dashboard = payload(await client().send('POST', '/dashboards', JSON.stringify({ name: 'x', tiles })));
    const required = {
      source: 'tile',
      dashboardId: dashboard.id,
      tileId: dashboard.tiles[0].id,
      threshold: 1.5,
      thresholdType: 'above',
      interval: '1h',
      channel: { type: 'webhook', webhookId: webhook, webhookService: 'generic', severity: 'warning' },
    };
    const optional = {
      name: 'Errors',
      message: 'look',
      note: '# why',
      numConsecutiveWindows: 2,
      scheduleOffsetMinutes: 5,
    };
    const full = payload(await client().send('POST', '/alerts', JSON.stringify({ ...required, ...optional })));
    expect(full).toMatchObject({ ...required, ...optional, state: 'OK' });
    // Decisions A3: everything that is left out is cleared.
    const cleared = payload(await client().send('PUT', `/alerts/${full.id}`, JSON.stringify(required)));
    for (const key of [...Object.keys(optional), 'groupBy', 'savedSearchId', 'scheduleStartAt', 'thresholdMax']) {
      expect(cleared[key] ?? null, key).toBeNull();
    }
    expect(payload(await client().send('GET', `/alerts/${full.id}`))).toEqual(cleared);
    expect(cleared.state).toBe('OK');
  });

  it('ids that do not belong to the alert’s kind of source are ignored', async () => {
    const { log, webhook } = await world.known(mode);
    const tiles = [{ series: [{ sourceId: log, aggFn: 'count', where: '', groupBy: [] }] }];
    const dashboard = payload(await client().send('POST', '/dashboards', JSON.stringify({ name: 'x', tiles })));
    const body = {
      ...{ source: 'tile', dashboardId: dashboard.id, tileId: dashboard.tiles[0].id, savedSearchId: null },
      ...{ threshold: 1, thresholdType: 'above', interval: '1h', groupBy: null },
      channel: { type: 'webhook', webhookId: webhook },
    };
    expect((await client().send('POST', '/alerts', JSON.stringify(body))).status).toBe(200);
  });

  it('an error has its text where the provider looks for it', async () => {
    const answer = await client().send('POST', '/alerts', '{}');
    expect(answer.status).toBe(400);
    expect(mode === 'managed' ? answer.json : { ...answer.json, error: '', status: 400 }).toEqual(
      mode === 'managed'
        ? { error: expect.stringContaining('threshold'), status: 400 }
        : { message: expect.stringContaining('threshold'), error: '', status: 400 },
    );
  });

  /** decisions D5: values are kept, spellings are not; `docs/spec-gaps.md` says so. */
  it.each([
    ['1.0', 1],
    ['1e3', 1000],
    ['0.30', 0.3],
    ['-0', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('a number keeps its value as a 64-bit float, not its spelling: %s', async (literal, value) => {
    const text = `{"name":"x","tiles":[{"config":{"displayType":"markdown","markdown":"","custom":${literal}}}]}`;
    const created = payload(await client().send('POST', '/dashboards', text));
    expect(created.tiles[0].config.custom + 0).toBe(value);
    const read = await client().send('GET', `/dashboards/${created.id}`);
    expect(read.text).toContain(`"custom":${value}`);
  });
});

it('data sources of the managed flavour have id, name, kind and connection', async () => {
  const sources = payload(await world.managed(always).send('GET', '/sources'));
  expect(sources.map(({ name }: { name: string }) => name)).toEqual(['Logs', 'Traces', 'Metrics']);
  for (const source of sources)
    expect(source).toMatchObject({ id: expect.any(String), connection: expect.any(String) });
});

it('the first attempts of five requests a second pass, and 429 gives seconds that fit into the provider’s patience', async () => {
  const limited = await ClientWorld.open({ rateLimit: { requests: 10, windowMs: 10_000 } });
  try {
    const client = limited.managed(always);
    const statuses = [];
    for (let count = 0; count < 11; count++) {
      statuses.push((await client.send('GET', '/alerts')).status);
      await limited.world.clock.advance(200);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    const { headers } = await client.send('GET', '/alerts');
    expect(Number(headers['retry-after'])).toBe(8);
    await limited.world.clock.advance(8_000);
    expect((await client.send('GET', '/alerts')).status).toBe(200);
  } finally {
    await limited.close();
  }
});

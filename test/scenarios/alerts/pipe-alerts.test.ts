import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dashboardOf, dashboardTemplates } from '../../../src/contract/dashboard-templates.ts';
import { ApiWorld } from '../../support/api-world.ts';
import { credentials, selfHostedPath, twoTenancies } from '../../support/two-tenancies.ts';

interface Named {
  id: string;
  name: string;
}

let world: ApiWorld;

beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
});
afterAll(() => world?.close());

async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
  const request = { authorization: credentials.personal, ...(body === undefined ? {} : { body }) };
  const answer = await world.send('selfHosted', method, selfHostedPath(path), request);
  expect(answer.status, answer.text).toBe(200);
  return (answer.json as { data: T }).data;
}

it('docs/pipes.md: the two alerts on the template of pipes are accepted, each on the tile that it names', async () => {
  const template = dashboardTemplates.find(({ id }) => id === 'pipes');
  if (!template) throw new Error('there is no such template');
  const sources = await send<{ id: string; kind: string }[]>('GET', '/sources');
  const metric = sources.find(({ kind }) => kind === 'metric')?.id ?? '';
  const made = await send<Named & { tiles: Named[] }>('POST', '/dashboards', dashboardOf(template, { metric }));
  const [webhook] = await send<Named[]>('GET', '/webhooks');
  const page = readFileSync(join(import.meta.dirname, '../../../docs/pipes.md'), 'utf8');
  const documented = [...page.matchAll(/```json\n(\{\n[^`]*"source": "tile"[^`]*)```/g)].map(([, text = '']) => text);
  expect(documented).toHaveLength(2);
  for (const text of documented) {
    const tile = made.tiles.find(({ name }) => text.includes(`"TILE ${name}"`));
    const body = text
      .replace('"DASHBOARD"', JSON.stringify(made.id))
      .replace(/"TILE [^"]*"/, JSON.stringify(tile?.id))
      .replace('"WEBHOOK"', JSON.stringify(webhook?.id));
    const alert = await send<Named & { tileId: string; state: string }>('POST', '/alerts', JSON.parse(body));
    expect([alert.name, alert.tileId]).toEqual([JSON.parse(body).name, tile?.id]);
  }
});

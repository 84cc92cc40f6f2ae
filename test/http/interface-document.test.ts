import { Ajv2020 as Ajv } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { DashboardApi, flavours } from '../scenarios/dashboards/dashboard-api.ts';

interface Document {
  openapi: string;
  info: { version: string };
  servers: unknown;
  security: unknown;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, unknown> }>>;
  components: { schemas: Record<string, object>; securitySchemes: unknown };
}

async function documentOf(api: DashboardApi): Promise<Document> {
  const path = api.name === 'managed' ? '/v1/openapi.json' : '/api/v2/openapi.json';
  return (await api.sendTo('GET', path, { key: 'none' })).json as Document;
}

function pathIn(document: Document, ending: string): string {
  return Object.keys(document.paths).find((path) => path.endsWith(ending)) ?? '';
}

describe('self-hosted interface document', () => {
  it('seed §Versioning: version 2.0.0; seed §Path shapes by flavour: a server entry of /; seed §Authentication: BearerAuth', async () => {
    const document = await documentOf(new DashboardApi('selfHosted'));
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { version: '2.0.0' },
      servers: [{ url: '/' }],
      security: [{ BearerAuth: [] }],
      components: { securitySchemes: { BearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'API Key' } } },
    });
  });

  it('seed: operation id updateDashboard answers 200, 401, 404 and 500', async () => {
    const document = await documentOf(new DashboardApi('selfHosted'));
    const put = document.paths['/api/v2/dashboards/{id}']?.put;
    expect(put?.operationId).toBe('updateDashboard');
    expect(Object.keys(put?.responses ?? {})).toEqual(expect.arrayContaining(['200', '401', '404', '500']));
  });
});

describe.each(flavours)('interface document, %s', (flavour) => {
  it('names its schemas, and every reference leads somewhere', async () => {
    const document = await documentOf(new DashboardApi(flavour));
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining(['Dashboard', 'Tile', 'ChartSeries', 'TileConfig', 'UpdateDashboard']),
    );
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('every operation’s real answers are valid by what it documents', async () => {
    const api = new DashboardApi(flavour);
    const document = await documentOf(api);
    const ajv = new Ajv({ strict: false, discriminator: false });
    ajv.addSchema({ $id: 'doc', ...document });
    const check = async (
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      ending: string,
      resource: string,
      body?: object,
    ) => {
      const answer = await api.send(method, resource, body ? { body } : {});
      const path = pathIn(document, ending).replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
      const pointer = `doc#/paths/${path}/${method.toLowerCase()}/responses/${answer.status}/content/application~1json/schema`;
      const validate = ajv.getSchema(pointer);
      expect(validate, pointer).toBeDefined();
      expect(validate?.(answer.json), JSON.stringify(validate?.errors)).toBe(true);
      return answer;
    };
    const tiles = [{ series: [{ sourceId: 'a00000000000000000000001', aggFn: 'count', where: '', groupBy: [] }] }];
    const { id } = api.unwrap(await check('POST', '/dashboards', '/dashboards', { name: 'd', tiles })) as {
      id: string;
    };
    await check('GET', '/dashboards', '/dashboards');
    await check('GET', '/dashboards/{id}', `/dashboards/${id}`);
    await check('PUT', '/dashboards/{id}', `/dashboards/${id}`, { name: 'e' });
    await check('PUT', '/dashboards/{id}', `/dashboards/${id}`, { name: '' });
    await check('PUT', '/dashboards/{id}', '/dashboards/nope', {});
    await check('POST', '/dashboards/validate', '/dashboards/validate', { name: '' });
    await check('DELETE', '/dashboards/{id}', `/dashboards/${id}`);
    await check('DELETE', '/dashboards/{id}', `/dashboards/${id}`);
  });

  it('is also a page that loads nothing from elsewhere', async () => {
    const api = new DashboardApi(flavour);
    const page = await api.sendTo('GET', flavour === 'managed' ? '/v1/docs' : '/api/v2/docs', { key: 'none' });
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('Update a dashboard');
    expect(page.body).not.toMatch(/<script|src=|https?:\/\//);
  });
});

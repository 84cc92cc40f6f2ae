import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FlavourName } from '../../src/http/operation.ts';
import { ApiWorld, type WorldAnswer } from '../support/api-world.ts';
import { type Schema, sampleBody, withToken } from '../support/sample-body.ts';
import { credentials, ids, twoTenancies } from '../support/two-tenancies.ts';

interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: Schema;
}
interface DocumentedOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
interface Case {
  id: string;
  method: string;
  path: string;
  operation: DocumentedOperation;
  components: Record<string, Schema>;
}

const hostileNumbers = [
  '-1',
  '0',
  '1.5',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '18446744073709551616',
  '-9223372036854775809',
  '1e308',
  '-1e308',
  '1e999',
  '-1e999',
  '5e-324',
  '1'.repeat(400),
];
const hostileTexts = ['NaN', 'Infinity', '0x7fffffffffffffff', '', 'null', '%00', '1%00', '٣'];
const hostileIds = [
  '%00',
  `${'a'.repeat(23)}%00`,
  'x'.repeat(300),
  'x'.repeat(5000),
  '9223372036854775807',
  '..%2f..%2fetc',
  "'%20OR%201=1",
  '%F0%9F%92%A9',
  '%ff',
  '%',
  '%ED%A0%80',
  '%7B%7D',
];
const both = ['selfHosted', 'managed'] as const;
const keys = { selfHosted: credentials.personal, managed: credentials['cloud admin'] } as const;
const documents = { selfHosted: '/api/v2/openapi.json', managed: '/v1/openapi.json' } as const;

let world: ApiWorld;
beforeAll(async () => {
  world = await ApiWorld.open(twoTenancies);
});
afterAll(() => world.close());

async function casesOf(flavour: FlavourName): Promise<Case[]> {
  const { json } = await world.send(flavour, 'GET', documents[flavour]);
  const { paths, components } = json as {
    paths: Record<string, Record<string, DocumentedOperation>>;
    components: { schemas: Record<string, Schema> };
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: path.replace('{organizationId}', ids.organization).replace('{serviceId}', ids.service),
      operation,
      components: components.schemas,
    })),
  );
}

/** seed §Update dashboard rule 3: an invalid configuration, and nothing else, is a 500. */
function isServerError({ status, text }: WorldAnswer): boolean {
  return status >= 500 && !(status === 500 && text.includes('Body validation failed'));
}

const filled = (path: string, id = 'a'.repeat(24)) => path.replaceAll(/\{\w+\}/g, id);

async function failing(flavour: FlavourName, requests: { case: Case; url: string; text?: string; open?: boolean }[]) {
  const wrong: string[] = [];
  for (const { case: one, url, text, open } of requests) {
    const answer = await world.sendText(flavour, one.method, url, {
      authorization: open ? undefined : keys[flavour],
      headers: text === undefined ? undefined : { 'content-type': 'application/json' },
      ...(text === undefined ? {} : { text }),
    });
    if (isServerError(answer)) wrong.push(`${one.method} ${url.slice(0, 200)} ${text ?? ''} → ${answer.text}`);
    if (answer.text !== '' && answer.json === undefined) wrong.push(`${url.slice(0, 200)} answers no JSON`);
  }
  return wrong;
}

const methodsWithBody = new Set(['POST', 'PUT']);

describe.each(both)('no input makes the server fail, %s', (flavour) => {
  it('any number and any text in any parameter of the query', async () => {
    const cases = await casesOf(flavour);
    const requests = cases.flatMap((one) =>
      (one.operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) =>
          [...hostileNumbers, ...hostileTexts].map((value) => ({
            case: one,
            url: `${filled(one.path)}?${name}=${value}`,
          })),
        ),
    );
    expect(requests.length).toBeGreaterThan(100);
    expect(await failing(flavour, requests)).toEqual([]);
  });

  it('any text in any path parameter, with a key and without', async () => {
    const cases = (await casesOf(flavour)).filter(({ path }) => path.includes('{'));
    const requests = cases.flatMap((one) =>
      hostileIds.flatMap((id) =>
        [true, false].map((open) => ({
          case: one,
          url: filled(one.path, id),
          open,
          ...(methodsWithBody.has(one.method) && { text: '{}' }),
        })),
      ),
    );
    expect(requests.length).toBeGreaterThan(100);
    expect(await failing(flavour, requests)).toEqual([]);
  });

  it('any number in any numeric field of any body', async () => {
    const cases = (await casesOf(flavour)).filter(({ operation }) => operation.requestBody);
    const requests = cases.flatMap((one) => {
      const schema = one.operation.requestBody?.content['application/json']?.schema ?? {};
      const { body, places } = sampleBody(schema, one.components);
      return places.flatMap((place) =>
        hostileNumbers.map((token) => ({ case: one, url: filled(one.path), text: withToken(body, place, token) })),
      );
    });
    expect(requests.length).toBeGreaterThan(100);
    expect(await failing(flavour, requests)).toEqual([]);
  });

  it('ids of organizations and services that are none', async () => {
    if (flavour === 'selfHosted') return;
    const urls = hostileIds.flatMap((id) => [
      `/v1/organizations/${id}/services/${ids.service}/stack/dashboards`,
      `/v1/organizations/${ids.organization}/services/${id}/stack/dashboards`,
    ]);
    const one: Case = { id: '', method: 'GET', path: '', operation: { operationId: '' }, components: {} };
    const requests = urls.flatMap((url) => [true, false].map((open) => ({ case: one, url, open })));
    expect(await failing(flavour, requests)).toEqual([]);
  });

  it('nests bodies as deep as it likes', async () => {
    const [one] = (await casesOf(flavour)).filter(({ id }) => id === 'createDashboard');
    if (!one) throw new Error('there is no such operation');
    const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
    const texts = [90, 2_500, 10_000, 200_000].flatMap((depth) => [
      `{"name":"a","tiles":[{"x1":${deep('[', ']', depth)}}]}`,
      `{"name":"a","tiles":[{"config":${deep('{"a":', '}', depth)}}]}`,
      deep('[', ']', depth),
    ]);
    expect(
      await failing(
        flavour,
        texts.map((text) => ({ case: one, url: one.path, text })),
      ),
    ).toEqual([]);
  });
});

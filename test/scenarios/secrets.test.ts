import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { readProvisioning } from '../../src/app/provisioning/read-provisioning.ts';
import type { FlavourName } from '../../src/http/operation.ts';
import { ApiWorld, type WorldAnswer } from '../support/api-world.ts';
import { tracesOf } from '../support/secret-traces.ts';
import { missingObjects, TenantActor } from '../support/tenant-objects.ts';
import { basic, bearer, ids, managedPath, selfHostedPath } from '../support/two-tenancies.ts';

/** Letters that base64, hex and JSON leave recognisable; long enough not to come up by chance. */
const marker = fc.stringMatching(/^[A-Za-z0-9]{24}$/);

const planted = {
  personal: 'PersonalKeyMarker0123456789abcdef',
  ingestion: 'IngestionKeyMarker0123456789abcdef',
  cloud: 'CloudSecretMarker0123456789abcdef',
  password: 'PasswordMarker0123456789abcdef',
  header: 'WebhookHeaderMarker0123456789abcdef',
  queryParam: 'WebhookQueryMarker0123456789abcdef',
  signing: 'WebhookSigningMarker0123456789abcdef',
  routing: 'PagerDutyKeyMarker0123456789abcdef',
  kafka: 'KafkaPasswordMarker0123456789abcdef',
  connectionString: 'ConnectionStringMarker0123456789abcdef',
};

const webhook = {
  name: 'ops',
  service: 'generic',
  url: 'http://127.0.0.1:9/hook',
  headers: { 'X-Token': planted.header },
  queryParams: { token: planted.queryParam },
  signingSecret: planted.signing,
};
const pager = {
  name: 'pager',
  service: 'generic',
  url: webhook.url,
  template: 'pagerduty',
  routingKey: planted.routing,
};
const pipe = {
  id: ids.pipe,
  name: 'orders',
  state: 'Running',
  source: {
    kafka: { brokers: 'kafka:9092', topics: 'orders', credentials: { username: 'ada', password: planted.kafka } },
    objectStorage: { url: 'https://store.example/*', connectionString: `AccountKey=${planted.connectionString}` },
  },
};
const file = {
  teams: [
    {
      name: 'Acme',
      users: [
        { email: 'ada@example.com', password: planted.password, apiKeys: [{ name: 'ci', key: planted.personal }] },
      ],
      ingestionKeys: [{ name: 'default', key: planted.ingestion }],
      webhooks: [webhook, pager],
    },
  ],
  organizations: [
    {
      id: ids.organization,
      name: 'Acme',
      apiKeys: [{ name: 'ci', keyId: 'KEYID', keySecret: planted.cloud }],
      services: [{ id: ids.service, name: 'production', webhooks: [webhook, pager], pipes: [pipe] }],
    },
  ],
};

let world: ApiWorld;
/** Every answer that any client got: status line, headers and body. */
const answers: string[] = [];

beforeAll(async () => {
  world = await ApiWorld.open(file);
});
afterAll(() => world?.close());

const authorizations: Record<FlavourName, string> = {
  selfHosted: bearer(planted.personal),
  managed: basic('KEYID', planted.cloud),
};

async function call(flavour: FlavourName, method: string, resource: string, body?: unknown): Promise<WorldAnswer> {
  const path = flavour === 'managed' ? managedPath(resource) : selfHostedPath(resource);
  return note(
    await world.send(flavour, method, path, {
      authorization: authorizations[flavour],
      ...(body === undefined ? {} : { body }),
    }),
  );
}

function note(answer: WorldAnswer): WorldAnswer {
  answers.push(`${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`);
  return answer;
}

/** Everything that leaves the process or stays on its disk. */
async function everythingSeen(): Promise<Record<string, string>> {
  const files = readdirSync(world.folder).map((name) => [
    `file ${name}`,
    readFileSync(join(world.folder, name)).toString('latin1'),
  ]);
  return {
    answers: answers.join('\n'),
    log: JSON.stringify(world.logger.lines, errorsToo),
    spans: JSON.stringify(world.spans),
    metrics: await world.metrics.metrics(),
    ...Object.fromEntries(files),
  };
}

/** Errors are no plain objects: what a logger would print of them counts as well. */
function errorsToo(_: string, value: unknown): unknown {
  return value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : value;
}

async function expectNoTrace(secrets: readonly string[]): Promise<void> {
  expect(tracesOf(secrets, await everythingSeen())).toEqual([]);
}

it('the search would find a secret: it finds public names in responses and files', async () => {
  await call('selfHosted', 'POST', '/webhooks', { ...webhook, name: 'FindableMarker0123456789abcdef' });
  const found = tracesOf(['FindableMarker0123456789abcdef'], await everythingSeen());
  expect(found).toContain('FindableMarker0123456789abcdef in answers');
  expect(found.some((place) => place.includes('in file metadata.db'))).toBe(true);
});

describe('secrets of the provisioning file', () => {
  it.each(['selfHosted', 'managed'] as const)('leave the program in no answer: %s', async (flavour) => {
    for (const operation of world.operations.filter(({ flavours }) => flavours.includes(flavour))) {
      const path = operation.path.replace(':id', missingObjects.dashboard).replace(':pipeId', ids.pipe);
      await call(flavour, operation.method, path, operation.method === 'GET' ? undefined : {});
    }
    for (const { id } of await listed(flavour)) await call(flavour, 'GET', `/webhooks/${id}`);
    await expectNoTrace(Object.values(planted));
  });

  it('are not echoed when sent to the wrong endpoint', async () => {
    const wrong = [planted.personal, planted.ingestion, planted.cloud, planted.password];
    for (const secret of wrong) {
      for (const header of [secret, `Bearer ${secret}x`, basic(secret, secret), `Digest ${secret}`]) {
        note(await world.send('selfHosted', 'GET', selfHostedPath('/dashboards'), { authorization: header }));
        note(await world.send('managed', 'GET', managedPath('/dashboards'), { authorization: header }));
      }
      // A secret in the path or the query string is the client's slip; the log must not keep it.
      note(await world.send('selfHosted', 'GET', selfHostedPath(`/dashboards/${secret}?key=${secret}`)));
      note(await world.send('selfHosted', 'GET', `/${secret}`));
    }
    await expectNoTrace(Object.values(planted));
  });

  async function listed(flavour: FlavourName): Promise<{ id: string }[]> {
    if (flavour === 'managed') return [];
    return ((await call(flavour, 'GET', '/webhooks')).json as { data: { id: string }[] }).data;
  }
});

describe('a provisioning file that is wrong', () => {
  const secrets = Object.values(planted);
  const apply = async (text: string): Promise<string | undefined> => {
    try {
      await world.provisionText(text);
      return undefined;
    } catch (error) {
      return String(error instanceof Error ? error.stack : error);
    }
  };

  it('is reported with place and reason, never with its value: each value of another kind', async () => {
    for (const path of pathsOf(file)) {
      for (const wrong of [[...secrets], 7, '']) {
        const text = JSON.stringify(replaced(file, path, wrong));
        expect(tracesOf(secrets, { [path.join('.')]: (await apply(text)) ?? '' })).toEqual([]);
      }
    }
  });

  it('nor when it is no YAML: a character too many or too few somewhere', () => {
    const text = stringify(file);
    const slips = ['', '"', "'", '\t', '}', ': ', '*', '&', '!', '- ', '%', '@', '|'];
    const slip = fc.record({ at: fc.nat({ max: text.length - 1 }), slip: fc.constantFrom(...slips) });
    fc.assert(
      fc.property(slip, ({ at, slip: typed }) => {
        const error = parseError(text.slice(0, at) + typed + text.slice(at + (typed === '' ? 1 : 0)));
        expect(tracesOf(secrets, { error: error ?? '' })).toEqual([]);
      }),
      { numRuns: 500, examples: secrets.map((secret) => [{ at: text.indexOf(secret), slip: '|' }]) },
    );
  });
});

/** What the start would print; `undefined` for text that is YAML. */
function parseError(text: string): string | undefined {
  try {
    readProvisioning('provisioning.yaml', text, () => undefined);
    return undefined;
  } catch (error) {
    return String(error instanceof Error ? error.stack : error);
  }
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  const inside = Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]));
  return path.length === 0 ? inside : [path, ...inside];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

describe('random webhooks and connections with a marker in every secret field', () => {
  const secretText = fc.tuple(fc.string({ maxLength: 20 }), marker, fc.string({ maxLength: 20 }));
  const headerValue = fc
    .tuple(fc.stringMatching(/^[ -~]{0,20}$/), marker)
    .map(([before, mark]) => ({ text: `${before.trimStart()}${mark}`, mark }));
  const anyValue = secretText.map(([before, mark, after]) => ({ text: before + mark + after, mark }));
  const field = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,11}$/).map((name) => `X-${name}`);
  const pairs = (value: typeof anyValue) => fc.dictionary(field, value, { minKeys: 1, maxKeys: 4 });
  const secrets = fc.record({
    headers: pairs(headerValue),
    queryParams: pairs(anyValue),
    signingSecret: anyValue,
    password: anyValue,
  });
  let made = 0;

  it('show none of them anywhere: created, read, replaced, rejected, deleted', async () => {
    await fc.assert(
      fc.asyncProperty(secrets, async ({ headers, queryParams, signingSecret, password }) => {
        const name = `random ${made++}`;
        const texts = (values: Record<string, { text: string }>) =>
          Object.fromEntries(Object.entries(values).map(([key, { text }]) => [key, text]));
        const userinfo = `ada:${password.mark}@127.0.0.1`;
        const body = {
          ...webhook,
          name,
          headers: texts(headers),
          queryParams: texts(queryParams),
          signingSecret: signingSecret.text,
        };
        await exercise('/webhooks', body, [
          { service: 'pager' },
          { service: 'slack' },
          { url: 'nowhere' },
          { url: `http://${userinfo}/hook` },
          { headers: signingSecret.text },
        ]);
        const host = 'http://127.0.0.1:8123';
        const connection = { name, host, username: 'reader', password: password.text };
        await exercise('/connections', connection, [
          { name: 1 },
          { host: 'ftp://x' },
          { host: `http://${userinfo}:8123` },
          { host: userinfo },
          { username: undefined },
        ]);
        const values = [...Object.values(headers), ...Object.values(queryParams), signingSecret, password];
        await expectNoTrace(values.map(({ mark }) => mark));
      }),
      { numRuns: 25 },
    );
  });

  /** One object through its life, and every way of getting it wrong with its secrets in the body. */
  async function exercise(resource: string, body: object, problems: readonly object[]): Promise<void> {
    const created = await call('selfHosted', 'POST', resource, body);
    expect(created.status, created.text).toBe(200);
    const { id } = (created.json as { data: { id: string } }).data;
    for (const problem of problems) {
      expect((await call('selfHosted', 'POST', resource, { ...body, ...problem })).status).toBe(400);
      expect((await call('selfHosted', 'PUT', `${resource}/${id}`, { ...body, ...problem })).status).toBe(400);
    }
    const broken = JSON.stringify(body).slice(0, -1);
    const request = { authorization: authorizations.selfHosted, text: broken };
    const headers = { 'content-type': 'application/json' };
    note(await world.sendText('selfHosted', 'POST', selfHostedPath(resource), { ...request, headers }));
    await call('selfHosted', 'POST', resource, body);
    await call('selfHosted', 'PUT', `${resource}/${id}`, body);
    await call('selfHosted', 'PUT', `${resource}/${missingObjects.webhook}`, body);
    await call('selfHosted', 'GET', resource);
    await call('selfHosted', 'GET', `${resource}/${id}`);
    await call('selfHosted', 'DELETE', `${resource}/${id}`);
  }
});

describe('pipes (decisions P2)', () => {
  it('show a configured connection string as one mask that reveals neither length nor prefix, credentials not at all', async () => {
    const { json } = await call('managed', 'GET', `/pipes/${ids.pipe}`);
    const { source } = (json as { result: { source: { kafka: object; objectStorage: object } } }).result;
    expect(source.objectStorage).toEqual({ url: 'https://store.example/*', connectionString: '********' });
    expect(source.kafka).not.toHaveProperty('credentials');
    await expectNoTrace([planted.kafka, planted.connectionString]);
  });
});

it('alerts and dashboards of the tenant with secrets show none either', async () => {
  for (const tenant of await world.metadata.identities.listTenants()) {
    await new TenantActor(world.operations, tenant.id).makeObjects();
  }
  for (const resource of ['/dashboards', '/alerts', '/sources']) {
    await call('selfHosted', 'GET', resource);
    await call('managed', 'GET', resource);
  }
  await expectNoTrace(Object.values(planted));
});

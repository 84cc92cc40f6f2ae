import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { compileChart } from '../../src/query/compile-chart.ts';
import type { EventSourceSchema } from '../../src/query/source-schema.ts';
import { openEngine, type TestEngine } from '../support/start-engine.ts';
import { chart, guardsFor, insertRows, logSource, makeDatabase, rowsOf, T0 } from './telemetry-fixture.ts';

interface Log {
  id: number;
  body: string;
  service: string;
  severity: number;
  attributes: Record<string, string>;
  resource: Record<string, string>;
}

const bodies = [
  'connection refused',
  'Connection REFUSED: timeout',
  'connect timeout',
  'login ok',
  'error and timeout refused',
  'req user-id ok',
  'user ok',
  'id of user',
  'user_service started',
  'user service started',
  '100% done',
  '1000 done',
  'see http://a.example now',
  'on localhost:3000',
  'die Größe',
  'die größe',
  '',
  'nonrefused',
  'auto-refused twice',
  'say "hi" now',
  'from 10.0.0.1:8080',
  'connect, then timeout',
  '日本語 ok',
  'see a*b and acb',
  '{"user":{"name":"Ann"}}',
  '{"user":{"name":"Joanna"},"id":7}',
];
const services = [
  'api',
  'API',
  'api-gw',
  'my-api',
  'user_service',
  'user-service',
  'user.service',
  'billing',
  'my.api.x',
  '',
];
const numbers = ['10', '9', '100', 'abc', '', '-5', '-3.5', '1e1', undefined];
const urls = ['https://a.example/x?y=1', 'https://a.example/z', 'ftp://b', undefined];

/** Every value of one list meets many values of the others. */
const logs: Log[] = Array.from({ length: 260 }, (_, id) => {
  const n = numbers[id % numbers.length];
  const url = urls[id % urls.length];
  const status = id % 5 === 0 ? '500' : id % 5 === 1 ? '200' : undefined;
  return {
    id,
    body: bodies[id % bodies.length] ?? '',
    service: services[(id * 7 + Math.floor(id / 9)) % services.length] ?? '',
    severity: [1, 9, 13, 17][id % 4] ?? 0,
    attributes: {
      ...(n === undefined ? {} : { n }),
      ...(url === undefined ? {} : { url }),
      ...(status === undefined ? {} : { 'http.status_code': status }),
      id: String(id),
    },
    resource: {
      ...(id % 3 === 0 ? { 'host.name': 'Web-1' } : {}),
      ...(id % 5 === 2 ? { 'http.status_code': '500' } : {}),
    },
  };
});

const tokens = (text: string): string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
const has = (word: string) => (log: Log) => tokens(log.body).includes(word);
const holds = (text: string | undefined, part: string): boolean =>
  (text ?? '').toLowerCase().includes(part.toLowerCase());
const number = (log: Log): number | undefined =>
  log.attributes.n?.trim() ? finite(Number(log.attributes.n)) : undefined;
const finite = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
/** The JSON in a body, as far as it is some. */
const userOf = ({ body }: Log): string => /"name":"(.*?)"/.exec(body)?.[1] ?? '';
const status = (log: Log): string => log.attributes['http.status_code'] || log.resource['http.status_code'] || '';
const [refused, timeout, login] = [has('refused'), has('timeout'), has('login')];

const meanings: Record<string, (log: Log) => boolean> = {
  'refused timeout': (log) => refused(log) && timeout(log),
  'refused AND timeout': (log) => refused(log) && timeout(log),
  'refused && timeout': (log) => refused(log) && timeout(log),
  'refused OR timeout': (log) => refused(log) || timeout(log),
  'refused || timeout': (log) => refused(log) || timeout(log),
  'refused AND timeout OR login': (log) => (refused(log) && timeout(log)) || login(log),
  'refused AND (timeout OR login)': (log) => refused(log) && (timeout(log) || login(log)),
  'NOT refused': (log) => !refused(log),
  '-refused': (log) => !refused(log),
  '!refused': (log) => !refused(log),
  '-(refused OR login)': (log) => !refused(log) && !login(log),
  'refused NOT timeout': (log) => refused(log) && !timeout(log),
  '+refused': refused,
  'refused and timeout': (log) => refused(log) && timeout(log) && has('and')(log),
  ' ': () => true,
  REFUSED: refused,
  refuse: () => false,
  '"connection refused"': (log) => holds(log.body, 'connection refused'),
  user_service: (log) => holds(log.body, 'user_service'),
  'user-id': (log) => holds(log.body, 'user-id'),
  'http://a.example': (log) => holds(log.body, 'http://a.example'),
  'localhost:3000': (log) => holds(log.body, 'localhost:3000'),
  'conn*': (log) => log.body.toLowerCase().startsWith('conn'),
  '*ok': (log) => log.body.toLowerCase().endsWith('ok'),
  '*fuse*': (log) => holds(log.body, 'fuse'),
  größe: has('größe'),
  'ServiceName:api': (log) => holds(log.service, 'api'),
  'ServiceName:"api"': (log) => log.service === 'api',
  'ServiceName:API': (log) => holds(log.service, 'api'),
  'ServiceName:"API"': (log) => log.service === 'API',
  'ServiceName:user_service': (log) => log.service === 'user_service',
  '-ServiceName:user_service': (log) => log.service !== 'user_service',
  'ServiceName:api*': (log) => holds(log.service, 'api'),
  'ServiceName:(api*)': (log) => /^api/i.test(log.service),
  'ServiceName:(*api)': (log) => /api$/i.test(log.service),
  'ServiceName:(*api*)': (log) => holds(log.service, 'api'),
  'ServiceName:(api OR billing)': (log) => /api|billing/i.test(log.service),
  'ServiceName:(my api)': (log) => holds(log.service, 'my') && holds(log.service, 'api'),
  'Body:("connection refused")': (log) => holds(log.body, 'connection refused'),
  'Body:"100% done"': (log) => log.body === '100% done',
  'Body:100%': (log) => holds(log.body, '100%'),
  'Body:connection\\ refused': (log) => holds(log.body, 'connection refused'),
  'LogAttributes.url:https://a.example/x?y=1': (log) => log.attributes.url === 'https://a.example/x?y=1',
  'LogAttributes.http.status_code:500': (log) => log.attributes['http.status_code'] === '500',
  "LogAttributes['http.status_code']:500": (log) => log.attributes['http.status_code'] === '500',
  'http.status_code:500': (log) => status(log) === '500',
  'host.name:web': (log) => holds(log.resource['host.name'], 'web'),
  'http.status_code:*': (log) => status(log) !== '',
  '-http.status_code:*': (log) => status(log) === '',
  '-LogAttributes.url:a': (log) => !holds(log.attributes.url, 'a'),
  'no.such.key:x': () => false,
  'SeverityNumber:9': (log) => log.severity === 9,
  'SeverityNumber:"9"': (log) => log.severity === 9,
  'SeverityNumber:>9': (log) => log.severity > 9,
  'SeverityNumber:[9 TO 17]': (log) => log.severity >= 9,
  'SeverityNumber:{9 TO 17}': (log) => log.severity === 13,
  'SeverityNumber:[9 TO 17}': (log) => log.severity === 9 || log.severity === 13,
  'SeverityNumber:[* TO 9]': (log) => log.severity <= 9,
  'n:>9': (log) => (number(log) ?? 0) > 9,
  'n:<=9': (log) => (number(log) ?? 10) <= 9,
  '-n:>9': (log) => !((number(log) ?? 0) > 9),
  'n:[9 TO 50]': (log) => (number(log) ?? 0) >= 9 && (number(log) ?? 99) <= 50,
  'n:>-5': (log) => (number(log) ?? -9) > -5,
  'n:-5': (log) => holds(log.attributes.n, '-5'),
  'n:[* TO *]': (log) => (log.attributes.n ?? '') !== '',
  'url:>="https"': (log) => (log.attributes.url ?? '') >= 'https',
  'Timestamp:>="2025-01-15T10:00:05Z"': (log) => log.id >= 5,
  'refused OR timeout login': (log) => refused(log) || (timeout(log) && login(log)),
  'NOT refused OR login': (log) => !refused(log) || login(log),
  'refused AND NOT timeout': (log) => refused(log) && !timeout(log),
  'NOT NOT refused': refused,
  '-refused -timeout': (log) => !refused(log) && !timeout(log),
  '!(refused && timeout)': (log) => !(refused(log) && timeout(log)),
  '()': () => true,
  'refused~2': refused,
  'refused^3': refused,
  '"REFUSED: Timeout"': (log) => holds(log.body, 'refused: timeout'),
  '"say \\"hi\\""': (log) => holds(log.body, 'say "hi"'),
  'connection\\ refused': (log) => holds(log.body, 'connection refused'),
  '\\-refused': (log) => refused(log) && holds(log.body, '-refused'),
  '10.0.0.1:8080': (log) => holds(log.body, '10.0.0.1:8080'),
  'conn*timeout': (log) => /^conn.*timeout$/i.test(log.body),
  '*ion*time*': (log) => /ion.*time/i.test(log.body),
  日本語: has('日本語'),
  'ServiceName:my*x': (log) => /my.*x/i.test(log.service),
  'ServiceName:(my*x)': (log) => /^my.*x$/i.test(log.service),
  'ServiceName:(api NOT gw)': (log) => holds(log.service, 'api') && !holds(log.service, 'gw'),
  'ServiceName:(api -gw)': (log) => holds(log.service, 'api') && !holds(log.service, 'gw'),
  'ServiceName:(my AND (api OR x))': (log) => holds(log.service, 'my') && /api|x/i.test(log.service),
  'SeverityNumber:(9 OR 17)': (log) => log.severity === 9 || log.severity === 17,
  'n:(>9 AND <50)': (log) => (number(log) ?? 0) > 9 && (number(log) ?? 99) < 50,
  'Body:""': (log) => log.body === '',
  'Body:a\\*b': (log) => holds(log.body, 'a*b'),
  'Body:GRÖ': (log) => holds(log.body, 'grö'),
  'Body.user.name:ann': (log) => holds(userOf(log), 'ann'),
  'Body.user.name:"Ann"': (log) => userOf(log) === 'Ann',
  'LogAttributes.url:https\\://a.example/z': (log) => log.attributes.url === 'https://a.example/z',
  'ResourceAttributes.host.name:web': (log) => holds(log.resource['host.name'], 'web'),
  'ServiceName:*': (log) => log.service !== '',
  'n:""': (log) => log.attributes.n === '',
  'n:10': (log) => holds(log.attributes.n, '10'),
  'n:"10"': (log) => log.attributes.n === '10',
  'SeverityNumber:>=9': (log) => log.severity >= 9,
  'SeverityNumber:<13': (log) => log.severity < 13,
  'SeverityNumber:<=12.5': (log) => log.severity <= 12.5,
  'SeverityNumber:{9 TO 17]': (log) => log.severity === 13 || log.severity === 17,
  'SeverityNumber:{9 TO *]': (log) => log.severity > 9,
  'n:>=1e1': (log) => (number(log) ?? 0) >= 10,
  'LogAttributes.n:<0': (log) => (number(log) ?? 0) < 0,
  'n:{9 TO *}': (log) => (number(log) ?? 0) > 9,
  'n:[-5 TO -3]': (log) => (number(log) ?? 0) >= -5 && (number(log) ?? 0) <= -3,
  '/conn.*timeout/': (log) => /conn.*timeout/s.test(log.body),
  '/(?i)REFUSED/': (log) => /refused/i.test(log.body),
  '-/refused/': (log) => !/refused/.test(log.body),
  'Body:/^connection refused$/': (log) => log.body === 'connection refused',
  'ServiceName:/^(api|billing)$/': (log) => /^(api|billing)$/.test(log.service),
  'ServiceName:(/^my/ OR /x$/)': (log) => /^my|x$/.test(log.service),
  'n:/^-?\\d+$/': (log) => /^-?\d+$/.test(log.attributes.n ?? ''),
  '-n:/^\\d+$/': (log) => !/^\d+$/.test(log.attributes.n ?? ''),
  'LogAttributes.url:/a\\.example\\/x/': (log) => /a\.example\/x/.test(log.attributes.url ?? ''),
  'SeverityNumber:/^1/': (log) => String(log.severity).startsWith('1'),
  '/a': (log) => holds(log.body, '/a'),
  '//a.example': (log) => holds(log.body, '//a.example'),
  'ServiceName:>=b': (log) => log.service >= 'b',
  'ServiceName:[api TO billing]': (log) => log.service >= 'api' && log.service <= 'billing',
  'Timestamp:>2025-01-15T10:02:00Z': (log) => log.id > 120,
  'Timestamp:["2025-01-15 10:00:05" TO "2025-01-15 10:00:09"}': (log) => log.id >= 5 && log.id < 9,
};

const database = 'otel_lucene_tests';
let engine: TestEngine;
let source: EventSourceSchema;

beforeAll(async () => {
  engine = await openEngine();
  await makeDatabase(engine, database);
  source = await logSource(engine, database);
  const rows = logs.map((log) => ({
    Timestamp: T0 + log.id * 1000,
    Body: log.body,
    ServiceName: log.service,
    SeverityNumber: log.severity,
    LogAttributes: log.attributes,
    ResourceAttributes: log.resource,
  }));
  await insertRows(engine, database, 'otel_logs', rows);
});

async function matching(where: string): Promise<number[]> {
  const query = chart({ where }, { groupBy: ['LogAttributes.id'] });
  const compiled = compileChart(query, source, guardsFor(database));
  const result = await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 30_000 });
  return rowsOf(result)
    .map(({ g0 }) => Number(g0))
    .sort((a, b) => a - b);
}

describe('Lucene on the engine: docs/lucene.md, row by row', () => {
  it.each(Object.entries(meanings))('%s', async (where, matches) => {
    expect(await matching(where)).toEqual(logs.filter(matches).map(({ id }) => id));
  });

  it('every row of the page is tested, and every test is a row', () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/lucene.md'), 'utf8');
    const rows = [...page.matchAll(/^\| `(.+?)` +\|/gm)].map((match) => (match[1] ?? '').replaceAll('\\|', '|'));
    expect(rows.sort()).toEqual(Object.keys(meanings).sort());
  });

  it('each row distinguishes rows, but for those that mean everything or nothing', () => {
    const share = (where: string): number => logs.filter((log) => meanings[where]?.(log)).length / logs.length;
    expect(Object.keys(meanings).filter((where) => share(where) === 1)).toEqual([' ', '()']);
    expect(Object.keys(meanings).filter((where) => share(where) === 0)).toEqual(['refuse', 'no.such.key:x']);
  });

  it('SQL says the same where both can', async () => {
    const sql = async (where: string) => {
      const compiled = compileChart(chart({ where, whereLanguage: 'sql' }), source, guardsFor(database));
      const result = await engine.queryRunner.run(compiled, { queryClass: 'interactive', timeoutMs: 30_000 });
      return result.columns[1]?.[0] ?? 0;
    };
    const pairs: [string, (log: Log) => boolean][] = [
      ["ServiceName = 'api' OR ServiceName = 'billing'", (log) => ['api', 'billing'].includes(log.service)],
      [
        "ServiceName IN ('api', 'billing') AND SeverityNumber BETWEEN 9 AND 13",
        (log) => ['api', 'billing'].includes(log.service) && log.severity >= 9 && log.severity <= 13,
      ],
      ["NOT (LogAttributes['n'] > 9)", (log) => !((number(log) ?? 0) > 9)],
      ["LogAttributes['http.status_code'] = '500'", (log) => log.attributes['http.status_code'] === '500'],
      [
        "Body ILIKE '%REFUSED%' AND ServiceName NOT LIKE 'my%'",
        (log) => holds(log.body, 'refused') && !log.service.startsWith('my'),
      ],
      ['toFloat64OrNull(n) * 2 >= 20', (log) => (number(log) ?? 0) >= 10],
      ["if(SeverityNumber > 9, 'high', 'low') = 'high'", (log) => log.severity > 9],
      [
        "mapContains(LogAttributes, 'url') AND startsWith(lower(ServiceName), 'api')",
        (log) => log.attributes.url !== undefined && /^api/i.test(log.service),
      ],
      ["Timestamp > '9999-12-31 23:59:59'", () => false],
      ["Timestamp < '9999-12-31 23:59:59' AND Timestamp > '0000-01-01'", () => true],
      ["TimestampTime >= '0001-01-01' AND NOT TimestampTime = '9999-12-31'", () => true],
      ["Timestamp >= '2025-01-15 10:00:05' AND -SeverityNumber < 0", (log) => log.id >= 5],
    ];
    for (const [where, matches] of pairs)
      expect([where, await sql(where)]).toEqual([where, logs.filter(matches).length]);
  });
});

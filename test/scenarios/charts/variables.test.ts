// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are variables of dashboards
import { beforeAll, describe, expect, it } from 'vitest';
import type { TileAnswer } from '../../../src/contract/tile-query.ts';
import { ChartApi, hourMs, minuteMs, t0 } from './chart-api.ts';
import { insertRows, startStore } from './telemetry-rows.ts';

let api: ChartApi;
let logs: string;
let connectionId: string;

const log = (minute: number, ServiceName: string, SeverityText: string) => ({
  TimestampMs: t0 + minute * minuteMs,
  ServiceName,
  SeverityText,
  Body: 'x',
});

beforeAll(async () => {
  const engine = await startStore();
  await insertRows(engine.client, 'otel.otel_logs', [
    log(5, 'api', 'error'),
    log(6, 'api', 'info'),
    log(65, 'web', 'info'),
    log(66, "it's", 'info'),
  ]);
  api = await ChartApi.over({ runner: engine.queryRunner, schemas: engine.tableSchemas });
  logs = await api.sourceId('log');
  connectionId = await api.connectionId();
});

const variables = (values: string[]) => [{ name: 'svc', values, expression: 'ServiceName' }];

async function ask(tile: object, values: string[], change: object = {}): Promise<TileAnswer> {
  const body = {
    startTime: t0,
    endTime: t0 + 3 * hourMs,
    variables: variables(values),
    tiles: [{ ref: 'a', tile }],
    ...change,
  };
  const answer = await api.send('POST', '/charts/tiles', { body });
  if (answer.status !== 200) throw new Error(answer.body);
  const [only] = (answer.json as { data: TileAnswer[] }).data;
  if (!only) throw new Error('no answer');
  return only;
}

const count = (where: string, whereLanguage = 'lucene') => ({
  config: { displayType: 'number', sourceId: logs, select: [{ aggFn: 'count', where, whereLanguage }] },
});
const raw = (sqlTemplate: string) => ({
  config: { configType: 'sql', displayType: 'number', connectionId, sourceId: logs, sqlTemplate },
});
const from = 'SELECT count() AS n FROM $__sourceTable WHERE $__timeFilter(Timestamp) AND';

const places: [string, () => object][] = [
  ['Lucene', () => count('ServiceName:"$svc"')],
  ['Lucene, several fields', () => count('ServiceName:"${svc}" -ServiceName:nothing')],
  ['SQL', () => count('$__filter(ServiceName, $svc)', 'sql')],
  ['SQL, the variable’s own expression', () => count('$__filter($svc)', 'sql')],
  ['SQL, a condition', () => count('$__conditionalAll(ServiceName IN ($svc), $svc)', 'sql')],
  ['raw SQL', () => raw(`${from} $__filter(ServiceName, $svc)`)],
  ['raw SQL, the variable’s own expression', () => raw(`${from} $__filter($svc)`)],
  ['raw SQL, a condition', () => raw(`${from} $__conditionalAll(ServiceName IN ($svc), $svc)`)],
  ['raw SQL, a pattern', () => raw(`${from} match(ServiceName, '^\${svc:regex}$')`)],
];

describe('variables of a dashboard (contract §2.4)', () => {
  it.each(places)('%s: one value, several, any, and one that is no SQL', async (_, tile) => {
    const found = async (...values: string[]) => {
      const { rows, error } = await ask(tile(), values);
      return error ?? rows?.[0]?.[0];
    };
    expect(await found('api')).toBe(2);
    expect(await found('api', 'web')).toBe(3);
    expect(await found()).toBe(4);
    expect(await found("it's")).toBe(1);
    expect(await found("x' OR '1'='1")).toBe(0);
    expect(await found('api") OR ("')).toBe(0);
  });

  it('a column to group by, in the builder and in raw SQL', async () => {
    const built = {
      config: { displayType: 'table', sourceId: logs, select: [{ aggFn: 'count' }], groupBy: '${svc:csv}' },
    };
    const sql = {
      config: {
        ...raw('').config,
        displayType: 'table',
        sqlTemplate: 'SELECT ${svc:csv}, count() AS n FROM $__sourceTable GROUP BY 1 ORDER BY n DESC, 1',
      },
    };
    for (const tile of [built, sql]) {
      expect((await ask(tile, ['SeverityText'])).rows).toEqual([
        ['info', 3],
        ['error', 1],
      ]);
    }
    expect((await ask(sql, [])).error).toMatchObject({
      message: expect.stringContaining('choose a value of $svc'),
      position: 7,
    });
    expect((await ask(sql, ['1; DROP'])).error).toMatchObject({ message: expect.stringContaining('names of columns') });
  });

  it('texts, aliases, the search of the dashboard and its conditions', async () => {
    const markdown = { config: { displayType: 'markdown', markdown: '# $svc and $other' } };
    expect((await ask(markdown, ['api', 'web'])).content).toBe('# api, web and $other');
    const named = { config: { displayType: 'number', sourceId: logs, select: [{ aggFn: 'count', alias: 'of $svc' }] } };
    expect((await ask(named, ['api'])).columns).toEqual([{ name: 'of api', kind: 'value' }]);
    expect((await ask(count(''), ['api'], { where: 'ServiceName:"$svc"' })).rows).toEqual([[2]]);
    const filters = [{ type: 'sql', condition: '$__filter($svc)' }];
    expect((await ask(count(''), ['web'], { filters })).rows).toEqual([[1]]);
  });

  it('errors have their place in the text as it was written', async () => {
    const where = 'ServiceName:"$svc" AND (x';
    const { error } = await ask(count(where), ['a rather long value', 'another one']);
    expect(error).toMatchObject({ path: 'config.select.0.where', position: where.indexOf('(x') });
    expect(error?.message).toContain(`(at position ${where.indexOf('(x')})`);
  });

  it('without variables, dollar signs are text; the same name twice is rejected', async () => {
    expect((await ask(count('ServiceName:"$svc"'), [], { variables: [] })).rows).toEqual([[0]]);
    const twice = {
      startTime: t0,
      endTime: t0 + hourMs,
      tiles: [{ ref: 'a', tile: count('') }],
      variables: [...variables([]), ...variables([])],
    };
    expect((await api.send('POST', '/charts/tiles', { body: twice })).status).toBe(400);
  });
});

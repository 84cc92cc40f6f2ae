import type { ClickHouseClient } from '../../src/telemetry/clickhouse-client.ts';
import { chartBody } from '../charts/chart-body.ts';
import { ownDatabase } from '../charts/chart-data.ts';
import { chartRequests } from '../charts/chart-requests.ts';
import type { Program, SourceIds } from '../program.ts';

/** Something that people ask of their logs and traces. */
export interface Question {
  name: string;
  ask: () => Promise<unknown>;
}

interface QuestionDeps {
  program: Program;
  client: ClickHouseClient;
  sources: SourceIds;
  endMs: number;
}

const charts = ['R01', 'R02', 'R03', 'R04', 'R05', 'R06', 'R14', 'R15'];
const dayMs = 86_400_000;
const hourMs = 3_600_000;

export async function questionsOf({ program, client, sources, endMs }: QuestionDeps): Promise<Question[]> {
  const post = (path: string, body: object) => () => program.call('POST', `/api/v2${path}`, body);
  const during = (lastsMs: number) => ({
    startTime: new Date(endMs - lastsMs).toISOString(),
    endTime: new Date(endMs).toISOString(),
  });
  const ofLogs = { sourceId: sources.get('log'), whereLanguage: 'lucene' };
  const traceId = await someTraceId(client);
  return [
    ...chartRequests
      .filter(({ id }) => charts.includes(id))
      .map((request) => ({
        name: `${request.id} ${request.what}`,
        ask: post('/charts/series', chartBody(request, sources, endMs)),
      })),
    {
      name: 'newest 100 logs of eight days',
      ask: post('/search', { ...ofLogs, ...during(8 * dayMs), where: '' }),
    },
    {
      name: 'newest 100 logs of eight days with a phrase and an attribute',
      ask: post('/search', {
        ...ofLogs,
        ...during(8 * dayMs),
        where: '"connection refused" LogAttributes.http.status_code:"503"',
      }),
    },
    {
      name: 'logs of eight days with a word that is nowhere',
      ask: post('/search', { ...ofLogs, ...during(8 * dayMs), where: 'zebra' }),
    },
    ...[hourMs, dayMs].map((lastsMs) => ({
      name: `facets of severity, service, route and status, ${lastsMs / hourMs} h`,
      ask: post('/search/facets', {
        ...ofLogs,
        ...during(lastsMs),
        where: '',
        fields: [
          ...['SeverityText', 'ServiceName', "LogAttributes['http.route']"],
          "LogAttributes['http.status_code']",
        ],
      }),
    })),
    {
      name: 'spans of a trace by its id, eight days',
      ask: post('/search', {
        sourceId: sources.get('trace'),
        ...during(8 * dayMs),
        where: `TraceId = '${traceId}'`,
        whereLanguage: 'sql',
        maxResults: 2_000,
      }),
    },
    {
      name: 'logs of a trace by its id, eight days',
      ask: post('/search', {
        ...ofLogs,
        ...during(8 * dayMs),
        where: `TraceId = '${traceId}'`,
        whereLanguage: 'sql',
        maxResults: 2_000,
      }),
    },
  ];
}

async function someTraceId(client: ClickHouseClient): Promise<string> {
  const sql = `SELECT TraceId FROM ${ownDatabase}.otel_traces WHERE TraceId != '' LIMIT 1`;
  const { columns } = await client.query(sql, { timeoutMs: 60_000 });
  return String(columns[0]?.[0]);
}

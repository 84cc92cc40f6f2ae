import type { CreateDashboard } from './dashboard.ts';
import type { NumberFormat } from './number-format.ts';
import type { SelectItem, TileConfig } from './tile-config.ts';

/** Where the tiles of a template read. */
export type TemplateSources = Partial<Record<'log' | 'trace' | 'metric', string>>;

export interface DashboardTemplate {
  id: string;
  name: string;
  /** What it shows, and what must send it. */
  description: string;
  needs: readonly (keyof TemplateSources)[];
  tiles: readonly TemplateTile[];
}

interface TemplateTile {
  name: string;
  source: keyof TemplateSources;
  /** All but the source. */
  config: (sourceId: string) => TileConfig;
}

type Chart = { groupBy?: string; format?: NumberFormat; type?: 'line' | 'stacked_bar' };

function chart(
  name: string,
  source: keyof TemplateSources,
  select: readonly SelectItem[],
  { groupBy, format, type = 'line' }: Chart = {},
): TemplateTile {
  const config = (sourceId: string): TileConfig => {
    const common = {
      sourceId,
      select: [...select],
      ...(groupBy === undefined ? {} : { groupBy }),
      ...(format === undefined ? {} : { numberFormat: format }),
    };
    return type === 'line' ? { displayType: 'line', ...common } : { displayType: 'stacked_bar', ...common };
  };
  return { name, source, config };
}

type MetricType = NonNullable<SelectItem['metricType']>;
type Aggregate = SelectItem['aggFn'];

function metric(metricName: string, metricType: MetricType, aggFn: Aggregate, where = ''): SelectItem {
  return { aggFn, metricName, metricType, valueExpression: 'Value', where, whereLanguage: 'lucene' };
}

const gauge = (name: string, aggFn: Aggregate = 'avg', where = ''): SelectItem => metric(name, 'gauge', aggFn, where);
/** An up-down counter: its level. */
const level = (name: string, aggFn: Aggregate = 'sum', where = ''): SelectItem => metric(name, 'sum', aggFn, where);
/** A counter: how much it grows in a second. */
const perSecond = (name: string, where = ''): SelectItem => metric(name, 'sum', 'rate', where);

const bytes: NumberFormat = { output: 'byte' };
const bytesPerSecond: NumberFormat = { output: 'data_rate' };
const percent: NumberFormat = { output: 'percent' };
const nanoseconds: NumberFormat = { output: 'duration', factor: 1e-9 };
const seconds: NumberFormat = { output: 'duration' };

const entry = 'SpanKind:"Server" OR SpanKind:"Consumer"';
const spans = (aggFn: Aggregate, where: string, rest: Partial<SelectItem> = {}): SelectItem => ({
  ...{ aggFn, where, whereLanguage: 'lucene' },
  ...rest,
});

const services: DashboardTemplate = {
  id: 'services',
  name: 'Services',
  description: 'Requests, errors and durations of all services, from spans; errors in logs.',
  needs: ['trace', 'log'],
  tiles: [
    chart('Requests by service', 'trace', [spans('count', entry)], { groupBy: 'ServiceName', type: 'stacked_bar' }),
    chart('Failed requests by service', 'trace', [spans('count', `StatusCode:"Error" AND (${entry})`)], {
      ...{ groupBy: 'ServiceName', type: 'stacked_bar' },
    }),
    chart(
      'p95 duration by service',
      'trace',
      [spans('quantile', entry, { level: 0.95, valueExpression: 'Duration' })],
      {
        ...{ groupBy: 'ServiceName', format: nanoseconds },
      },
    ),
    chart(
      'p99 duration by operation',
      'trace',
      [spans('quantile', entry, { level: 0.99, valueExpression: 'Duration' })],
      {
        ...{ groupBy: 'ServiceName, SpanName', format: nanoseconds },
      },
    ),
    chart(
      'Calls of databases and others, p95',
      'trace',
      [spans('quantile', 'SpanKind:"Client"', { level: 0.95, valueExpression: 'Duration' })],
      { groupBy: 'ServiceName', format: nanoseconds },
    ),
    chart(
      'Errors in logs by service',
      'log',
      [{ aggFn: 'count', where: 'SeverityText:"error"', whereLanguage: 'lucene' }],
      {
        ...{ groupBy: 'ServiceName', type: 'stacked_bar' },
      },
    ),
  ],
};

const kubernetes: DashboardTemplate = {
  id: 'kubernetes',
  name: 'Kubernetes',
  description: 'Pods, nodes and deployments, from the receivers kubeletstats and k8s_cluster.',
  needs: ['metric'],
  tiles: [
    chart('CPU of pods', 'metric', [gauge('k8s.pod.cpu.usage')], { groupBy: 'k8s.pod.name' }),
    chart('Memory of pods', 'metric', [gauge('k8s.pod.memory.working_set')], {
      groupBy: 'k8s.pod.name',
      format: bytes,
    }),
    chart('CPU of nodes', 'metric', [gauge('k8s.node.cpu.usage')], { groupBy: 'k8s.node.name' }),
    chart('Memory of nodes', 'metric', [gauge('k8s.node.memory.working_set')], {
      groupBy: 'k8s.node.name',
      format: bytes,
    }),
    chart('Network of pods', 'metric', [perSecond('k8s.pod.network.io')], {
      groupBy: 'direction',
      format: bytesPerSecond,
    }),
    chart('Space used by pods', 'metric', [gauge('k8s.pod.filesystem.usage')], {
      groupBy: 'k8s.pod.name',
      format: bytes,
    }),
    chart('Restarts of containers', 'metric', [gauge('k8s.container.restarts', 'max')], {
      groupBy: 'k8s.container.name',
    }),
    chart('Pods by phase (1 pending, 2 running, 4 failed)', 'metric', [gauge('k8s.pod.phase', 'max')], {
      groupBy: 'k8s.pod.name',
    }),
    chart('Deployments: desired', 'metric', [gauge('k8s.deployment.desired', 'max')], {
      groupBy: 'k8s.deployment.name',
    }),
    chart('Deployments: available', 'metric', [gauge('k8s.deployment.available', 'max')], {
      groupBy: 'k8s.deployment.name',
    }),
  ],
};

const host: DashboardTemplate = {
  id: 'host',
  name: 'Hosts',
  description: 'CPU, memory, disks and network, from the receiver hostmetrics.',
  needs: ['metric'],
  tiles: [
    chart('CPU time per second by state', 'metric', [perSecond('system.cpu.time', '-state:idle')], {
      groupBy: 'state',
    }),
    chart('Load of one minute', 'metric', [gauge('system.cpu.load_average.1m', 'max')], { groupBy: 'host.name' }),
    chart('Memory by state', 'metric', [level('system.memory.usage')], {
      groupBy: 'state',
      format: bytes,
      type: 'stacked_bar',
    }),
    chart('Swap in use', 'metric', [level('system.paging.usage', 'sum', 'state:used')], {
      groupBy: 'host.name',
      format: bytes,
    }),
    chart('Disks: bytes', 'metric', [perSecond('system.disk.io')], { groupBy: 'direction', format: bytesPerSecond }),
    chart('Disks: operations', 'metric', [perSecond('system.disk.operations')], { groupBy: 'direction' }),
    chart('File systems in use', 'metric', [level('system.filesystem.usage', 'sum', 'state:used')], {
      groupBy: 'mountpoint',
      format: bytes,
    }),
    chart('Network: bytes', 'metric', [perSecond('system.network.io')], {
      groupBy: 'direction',
      format: bytesPerSecond,
    }),
    chart('Network: errors', 'metric', [perSecond('system.network.errors')], { groupBy: 'device' }),
    chart('Processes by status', 'metric', [level('system.processes.count')], { groupBy: 'status' }),
  ],
};

const postgresql: DashboardTemplate = {
  id: 'postgresql',
  name: 'PostgreSQL',
  description: 'Transactions, connections and sizes, from the receiver postgresql.',
  needs: ['metric'],
  tiles: [
    chart('Commits', 'metric', [perSecond('postgresql.commits')], { groupBy: 'postgresql.database.name' }),
    chart('Rollbacks', 'metric', [perSecond('postgresql.rollbacks')], { groupBy: 'postgresql.database.name' }),
    chart('Connections', 'metric', [level('postgresql.backends')], { groupBy: 'postgresql.database.name' }),
    chart('Connections allowed', 'metric', [gauge('postgresql.connection.max', 'max')]),
    chart('Size of databases', 'metric', [level('postgresql.db_size')], {
      groupBy: 'postgresql.database.name',
      format: bytes,
    }),
    chart('Rows changed', 'metric', [perSecond('postgresql.operations')], { groupBy: 'operation' }),
    chart('Blocks read', 'metric', [perSecond('postgresql.blocks_read')], { groupBy: 'source' }),
    chart('Live and dead rows', 'metric', [level('postgresql.rows')], { groupBy: 'state' }),
    chart('Checkpoints', 'metric', [perSecond('postgresql.bgwriter.checkpoint.count')], { groupBy: 'type' }),
    chart('Replication delay', 'metric', [gauge('postgresql.replication.data_delay', 'max')], {
      groupBy: 'replication_client',
      format: bytes,
    }),
  ],
};

const redis: DashboardTemplate = {
  id: 'redis',
  name: 'Redis',
  description: 'Commands, clients, memory and keys, from the receiver redis.',
  needs: ['metric'],
  tiles: [
    chart('Commands', 'metric', [perSecond('redis.commands.processed')]),
    chart('Clients', 'metric', [level('redis.clients.connected')]),
    chart('Memory used', 'metric', [gauge('redis.memory.used', 'max')], { format: bytes }),
    chart('Memory of the process', 'metric', [gauge('redis.memory.rss', 'max')], { format: bytes }),
    chart('Hits and misses', 'metric', [
      { ...perSecond('redis.keyspace.hits'), alias: 'hits' },
      { ...perSecond('redis.keyspace.misses'), alias: 'misses' },
    ]),
    chart('Keys evicted and expired', 'metric', [
      { ...perSecond('redis.keys.evicted'), alias: 'evicted' },
      { ...perSecond('redis.keys.expired'), alias: 'expired' },
    ]),
    chart('Keys by database', 'metric', [gauge('redis.db.keys', 'max')], { groupBy: 'db' }),
    chart(
      'Network',
      'metric',
      [
        { ...perSecond('redis.net.input'), alias: 'received' },
        { ...perSecond('redis.net.output'), alias: 'sent' },
      ],
      { format: bytesPerSecond },
    ),
  ],
};

const kafka: DashboardTemplate = {
  id: 'kafka',
  name: 'Kafka',
  description: 'Lag of consumers, topics and replicas, from the receiver kafkametrics.',
  needs: ['metric'],
  tiles: [
    chart('Lag by group', 'metric', [gauge('kafka.consumer_group.lag_sum', 'max')], {
      groupBy: 'Attributes.group, topic',
    }),
    chart('Lag by partition', 'metric', [gauge('kafka.consumer_group.lag', 'max')], {
      groupBy: 'Attributes.group, topic, partition',
    }),
    chart('Members of groups', 'metric', [level('kafka.consumer_group.members')], { groupBy: 'Attributes.group' }),
    chart('Last offset by topic', 'metric', [gauge('kafka.partition.current_offset', 'sum')], { groupBy: 'topic' }),
    chart('Replicas in sync', 'metric', [level('kafka.partition.replicas_in_sync')], { groupBy: 'topic' }),
    chart('Replicas', 'metric', [level('kafka.partition.replicas')], { groupBy: 'topic' }),
    chart('Partitions', 'metric', [level('kafka.topic.partitions')], { groupBy: 'topic' }),
    chart('Brokers', 'metric', [level('kafka.brokers')]),
  ],
};

const pipes: DashboardTemplate = {
  id: 'pipes',
  name: 'Pipes',
  description: 'Rows, lag, rejected records and failures of the pipes of a managed installation, from its /metrics.',
  needs: ['metric'],
  tiles: [
    chart('Rows per second', 'metric', [perSecond('pipe_rows_total')], { groupBy: 'pipe_id' }),
    chart('Bytes read', 'metric', [perSecond('pipe_bytes_total')], { groupBy: 'pipe_id', format: bytesPerSecond }),
    chart('Lag', 'metric', [gauge('pipe_lag_seconds', 'max')], { groupBy: 'pipe_id', format: seconds }),
    chart('Failed', 'metric', [gauge('pipe_state', 'max', 'state:"Failed" OR state:"InternalError"')], {
      groupBy: 'pipe_id, state',
    }),
    chart('Rejected records per second', 'metric', [perSecond('pipe_errors_total')], { groupBy: 'pipe_id' }),
    chart('Lag in records', 'metric', [gauge('pipe_lag_records', 'max')], { groupBy: 'pipe_id' }),
    chart('Write-ahead log kept by PostgreSQL', 'metric', [gauge('pipe_lag_bytes', 'max')], {
      groupBy: 'pipe_id',
      format: bytes,
    }),
    chart('Pipes by state', 'metric', [gauge('pipe_state', 'max')], { groupBy: 'pipe_id, state' }),
  ],
};

const own: DashboardTemplate = {
  id: 'signalbox',
  name: 'Signalbox itself',
  description: 'Memory, CPU and event loop of this program; choose its own source of metrics.',
  needs: ['metric'],
  tiles: [
    chart('Memory', 'metric', [gauge('process_resident_memory_bytes', 'max')], { format: bytes }),
    chart('CPU time per second', 'metric', [perSecond('process_cpu_seconds_total')], { format: percent }),
    chart('Event loop delay, p99', 'metric', [gauge('nodejs_eventloop_lag_p99_seconds', 'max')], { format: seconds }),
    chart('Heap used', 'metric', [gauge('nodejs_heap_size_used_bytes', 'max')], { format: bytes }),
    chart('Open file descriptors', 'metric', [gauge('process_open_fds', 'max')]),
  ],
};

export const dashboardTemplates: readonly DashboardTemplate[] = [
  services,
  kubernetes,
  host,
  postgresql,
  redis,
  kafka,
  pipes,
  own,
];

/** A dashboard of a template over these sources: two tiles beside each other. Tiles without a source are left out. */
export function dashboardOf({ name, tiles }: DashboardTemplate, sources: TemplateSources): CreateDashboard {
  const readable = tiles.flatMap(({ name: tileName, source, config }) => {
    const sourceId = sources[source];
    return sourceId === undefined ? [] : [{ name: tileName, config: config(sourceId) }];
  });
  return {
    name,
    tiles: readable.map((tile, index) => ({ ...tile, x: (index % 2) * 12, y: Math.floor(index / 2) * 5, w: 12, h: 5 })),
  };
}

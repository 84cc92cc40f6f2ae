import { defineConfig } from 'vitest/config';

/** Tests that start an engine, a database server or the whole program. */
const system = [
  'test/**/*.test.ts',
  'src/engine/**/*.test.ts',
  'src/telemetry/**/*.test.ts',
  'src/metadata/**/*.test.ts',
];

/** They count work by V8's coverage, which sees nothing of code that the same process has compiled before. */
const counting = ['src/collector/linear-work.test.ts'];

/** What also runs against the server that the environment names: how tables are made, written and read. */
const onServer = [
  'test/contract/telemetry-store.test.ts',
  'test/query/{aggregates,charts-equal-brute-force,heatmap,lucene,metric-streams,metrics,raw-sql-equals-builder}.test.ts',
  'test/query/{tiles-equal-brute-force,time-zone-buckets}.test.ts',
  'test/scenarios/{search,services}/*.test.ts',
  'test/scenarios/charts/{log-charts,metric-answers,metric-charts,other-group,tile-reader,tiles,trace-charts}.test.ts',
  'test/scenarios/charts/{every-tile,raw-sql-tiles}.test.ts',
];
/** The layout of a cluster's tables is another; these look at or change the tables of one server. */
const onSingleServer = ['test/query/{cheap-groups,count-projections,distributions,foreign-severity}.test.ts'];
const server = process.env.SIGNALBOX_TEST_CLICKHOUSE_URL;
const isCluster = Boolean(process.env.SIGNALBOX_TEST_CLICKHOUSE_CLUSTER);

/** How long a test and a wait in it may take: far more than on the busiest machine, for no test is about time. */
const patience = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.ts'],
          exclude: [...system, ...counting],
          isolate: false,
          pool: 'threads',
          sequence: { groupOrder: 0 },
          ...patience,
        },
      },
      {
        test: { name: 'counting', include: counting, pool: 'forks', sequence: { groupOrder: 0 }, ...patience },
      },
      {
        test: {
          name: 'system',
          include: system,
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/close-file.ts'],
          isolate: false,
          pool: 'forks',
          // More than cores: the longest tests wait for window ends and restarts.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          ...patience,
        },
      },
      ...(server
        ? [
            {
              test: {
                name: 'server',
                include: isCluster ? onServer : [...onServer, ...onSingleServer],
                globalSetup: ['test/support/global-setup.ts', 'test/support/empty-server.ts'],
                setupFiles: ['test/support/close-file.ts'],
                env: { SIGNALBOX_TEST_PROJECT: 'server' },
                isolate: false,
                pool: 'forks' as const,
                // They use the same names of databases.
                maxWorkers: 1,
                sequence: { groupOrder: 2 },
                ...patience,
              },
            },
          ]
        : []),
    ],
  },
});

import { defineConfig } from 'vitest/config';

/** Rooms whose tests start an engine, a database server or the whole program. */
const system = [
  'test/**/*.test.ts',
  'src/engine/**/*.test.ts',
  'src/telemetry/**/*.test.ts',
  'src/metadata/**/*.test.ts',
];

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts'],
          exclude: system,
          isolate: false,
          pool: 'threads',
        },
      },
      {
        test: {
          name: 'system',
          include: system,
          globalSetup: ['test/support/global-setup.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});

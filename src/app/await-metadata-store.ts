import type { Config } from '../config/config.ts';
import { readTlsFiles } from '../config/tls-files.ts';
import { buildWaitingServer } from '../http/api-server.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import { CleanupStack } from '../kernel/cleanup-stack.ts';
import { type Clock, delay } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import { isPassing, StoreUnavailableError } from '../kernel/store-unavailable-error.ts';
import { MetadataError } from '../metadata/metadata-error.ts';
import type { MetadataStore } from '../metadata/open-metadata.ts';
import { type HttpAddresses, openHttpPorts } from './http-ports.ts';
import { openMetadataStore } from './metadata-store.ts';
import type { ProgramMetrics } from './metrics/program-metrics.ts';
import { StartAbandoned } from './stop-signal.ts';
import { programVersion } from './version.ts';

const firstWaitMs = 500;
const waitMaxMs = 5_000;

export interface AwaitingDeps {
  config: Config;
  flavour: Flavour;
  metrics: ProgramMetrics;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  stopSignal: AbortSignal;
}

/**
 * Opens the metadata store. While its server does not answer, the program waits for it, and its HTTP ports say so:
 * `/health` is 200, `/ready` and everything else 503.
 *
 * @throws {MetadataError} if waiting cannot help, such as after a rejected password
 * @throws {StartAbandoned} if the program is to stop
 */
export async function awaitMetadataStore(deps: AwaitingDeps): Promise<MetadataStore> {
  const { config, clock, logger, stopSignal } = deps;
  const servers = new CleanupStack();
  let isWaiting = false;
  try {
    for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, waitMaxMs)) {
      const opened = await openMetadataStore(config, logger).catch(whereAway);
      if (!(opened instanceof Error)) return opened;
      if (!isWaiting) {
        isWaiting = true;
        const addresses = await openWaitingServers(deps, servers);
        logger.warn({ addresses, detail: opened.message }, 'the metadata store is away; waiting for it');
      }
      await delay(clock, waitMs, stopSignal);
      if (stopSignal.aborted) throw new StartAbandoned();
    }
  } finally {
    await servers.unwind((part, error) => logger.error({ part, error }, 'a component could not be closed'));
  }
}

/** It did not answer, or no longer answers after its first answer: the schema is brought up to date by many statements. */
function whereAway(error: unknown): MetadataError | StoreUnavailableError {
  if (error instanceof MetadataError && error.code === 'away') return error;
  if (error instanceof StoreUnavailableError && isPassing(error.failure)) return error;
  throw error;
}

async function openWaitingServers(deps: AwaitingDeps, servers: CleanupStack): Promise<HttpAddresses> {
  const { config, flavour, metrics, clock, ids, logger } = deps;
  const { tls, trustedProxies } = config.listen;
  const { message } = new StoreUnavailableError('metadata', 'unreachable');
  const report = { parts: { metadata: 'unavailable' }, reasons: { metadata: message } } as const;
  const options = {
    ...{ flavour, clock, ids, logger, trustedProxies, version: programVersion, metrics: metrics.registry },
    readiness: { report: async () => report },
    ...(tls ? { tls: await readTlsFiles(tls) } : {}),
  };
  const build = () => buildWaitingServer(options);
  return openHttpPorts(config, { api: build, web: build, ops: build }, servers);
}

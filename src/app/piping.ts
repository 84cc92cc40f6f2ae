import type { Registry } from 'prom-client';
import type { SecretBox } from '../access/secret-box.ts';
import type { TenantDirectory } from '../access/tenants.ts';
import type { TelemetryConfig } from '../config/telemetry-config.ts';
import type { PipeInput } from '../contract/pipe-input.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { Logger } from '../kernel/logger.ts';
import type { Repositories } from '../metadata/repositories.ts';
import { ClickHouseDestination } from '../pipes/destination/clickhouse-destination.ts';
import { DestinationError } from '../pipes/destination-port.ts';
import type { PipeDefinition } from '../pipes/pipe-definition.ts';
import type { LeasedPipe } from '../pipes/pipe-leases.ts';
import type { Connectors } from '../pipes/run-check.ts';
import { engineSettingsOf } from '../pipes/run-limits.ts';
import { PipeSupervisor } from '../pipes/supervisor.ts';
import { openPipeSecrets, withSecrets } from '../resources/pipes/pipe-secrets.ts';
import { pipeInstruments, watchPipeStates } from './metrics/pipe-instruments.ts';
import { databaseProblems } from './pipe-database.ts';
import type { TelemetryStore } from './telemetry-store.ts';

export interface PipingDeps {
  repositories: Pick<Repositories, 'pipeLeases' | 'pipeLedger'>;
  connectors: Connectors;
  telemetry: Pick<TelemetryStore, 'tables' | 'databases'>;
  store: TelemetryConfig['store'];
  tenants: TenantDirectory;
  secrets: SecretBox;
  metrics: Registry;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  cleanup: CleanupStack;
}

/** A process that dies is replaced after this long. */
const leaseMs = 10_000;
const pipesMax = 64;
const errorsMax = 1_000;
/** Of which the metrics show the state. */
const statesMax = 10_000;

/** The role `pipes`: runs the pipes of all services. */
export function startPiping(deps: PipingDeps): void {
  const { repositories, connectors, secrets, clock, ids, logger, cleanup } = deps;
  const supervisor = new PipeSupervisor({
    connectors,
    destinationOf: (pipe) => destinationOf(pipe, deps),
    open: (leased) => openedPipe(leased, secrets),
    leases: repositories.pipeLeases,
    ledger: repositories.pipeLedger,
    metrics: pipeInstruments(deps.metrics, clock),
    clock,
    logger,
    owner: ids.uuid(),
    errorsMax,
    pipesMax,
    leaseMs,
    lookMs: 500,
    firstRetryMs: 1_000,
    random: Math.random,
  });
  watchPipeStates(deps.metrics, () => repositories.pipeLeases.states(statesMax));
  supervisor.start();
  cleanup.push('pipes', () => supervisor.stop());
}

async function destinationOf(pipe: PipeDefinition, deps: PipingDeps): Promise<ClickHouseDestination> {
  const { telemetry, store, tenants, clock } = deps;
  const tenant = await tenants.find(pipe.serviceId);
  if (!tenant) throw new DestinationError('rejected', 'The service of the pipe no longer exists.');
  const { telemetryDatabase } = tenant;
  const [problem] = databaseProblems(pipe, tenant);
  if (problem) throw new DestinationError('rejected', `${problem.path}: ${problem.message}.`);
  return new ClickHouseDestination({
    statements: telemetry.tables,
    place: {
      database: telemetryDatabase,
      ...(store.kind === 'server' && store.cluster !== undefined && { cluster: store.cluster }),
    },
    ensureDatabase: () => telemetry.databases.ensure(telemetryDatabase),
    settings: engineSettingsOf(pipe),
    clock,
  });
}

function openedPipe({ serviceId, pipe, generation }: LeasedPipe, secrets: SecretBox): PipeDefinition {
  // What was written has been checked by PipeInputSchema.
  const fields = withSecrets(pipe.fields, openPipeSecrets(secrets, pipe)) as unknown as PipeInput;
  return { ...fields, id: pipe.id, serviceId, generation };
}

import { type Clock, delay } from '../kernel/clock.ts';
import { isPassing } from '../kernel/store-unavailable-error.ts';
import { storeFailureOf } from '../telemetry/engine-errors.ts';
import { TelemetryError } from '../telemetry/ports.ts';
import type { TelemetryStore } from './telemetry-store.ts';

/** A server that takes longer is made ready in the background. */
const waitMs = 5_000;

export interface EnsuringDeps {
  telemetry: Pick<TelemetryStore, 'databases'>;
  store: 'embedded' | 'server';
  clock: Clock;
}

/**
 * Makes the tables of these tenants. A server that is away does not stop the start: whatever uses a database later
 * makes it then, and `/ready` and the log say that the telemetry store is unavailable.
 *
 * @throws {TelemetryError} if waiting cannot help, such as after a rejected password
 */
export async function ensureDatabases(names: readonly string[], deps: EnsuringDeps): Promise<void> {
  const { telemetry, store, clock } = deps;
  const ensured = Promise.all(names.map((name) => telemetry.databases.ensure(name))).catch((error: unknown) => {
    if (store === 'embedded' || !isAway(error)) throw error;
  });
  if (store === 'embedded') {
    await ensured;
    return;
  }
  const done = new AbortController();
  try {
    await Promise.race([ensured, delay(clock, waitMs, done.signal)]);
  } finally {
    done.abort();
  }
}

/** The server does not answer, or not now; it may come without anyone changing a setting. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof TelemetryError)) return false;
  return (error.kind === 'unavailable' || error.kind === 'timeout') && isPassing(storeFailureOf(error));
}

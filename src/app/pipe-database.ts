import type { Tenant } from '../access/tenants.ts';
import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';

/** Every service has one database, which is called `default` as well. */
export function databaseProblems({ destination }: PipeInput, { telemetryDatabase }: Tenant): Problem[] {
  const { database = 'default' } = destination ?? {};
  if (database === 'default' || database === telemetryDatabase) return [];
  const message = `must be default or ${telemetryDatabase}, which is the database of the service`;
  return [{ path: 'destination.database', message }];
}

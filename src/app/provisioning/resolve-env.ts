import { type Path, ProvisioningProblem } from './provisioning-problem.ts';

/** Value of an environment variable. */
export type EnvLookup = (name: string) => string | undefined;

/**
 * Replaces each `{env: NAME}` by the value of that variable, so that secrets need not be in the file. Dashboards are
 * left alone: what looks like it there is the user's own.
 * @throws {ProvisioningProblem} when a variable is unset or empty
 */
export function resolveEnv(value: unknown, lookup: EnvLookup, path: Path = []): unknown {
  if (Array.isArray(value)) return value.map((item, index) => resolveEnv(item, lookup, [...path, index]));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  const [first] = entries;
  if (entries.length === 1 && first?.[0] === 'env' && typeof first[1] === 'string')
    return found(first[1], lookup, path);
  return Object.fromEntries(
    entries.map(([key, item]) => [key, key === 'dashboards' ? item : resolveEnv(item, lookup, [...path, key])]),
  );
}

function found(name: string, lookup: EnvLookup, path: Path): string {
  const value = lookup(name);
  if (value === undefined || value === '') {
    throw new ProvisioningProblem(path, `the environment variable ${name} that it names is not set`);
  }
  return value;
}

import { ConfigError } from './config-error.ts';
import type { Env } from './env.ts';

export const allRoles = ['api', 'collector', 'evaluator', 'web', 'pipes'] as const;
/** A part of the program that a process may run. */
export type Role = (typeof allRoles)[number];

/** All roles by default; pipes exist in the managed flavour only. @throws {ConfigError} */
export function readRoles(env: Env, flavour: 'selfHosted' | 'managed'): ReadonlySet<Role> {
  const named = env.list('SIGNALBOX_ROLES');
  const roles = new Set(named.length === 0 ? usualRoles(flavour) : named.map(checkRole));
  if (roles.has('pipes') && flavour !== 'managed') {
    throw new ConfigError('SIGNALBOX_ROLES can have pipes only with SIGNALBOX_FLAVOUR=managed.');
  }
  if (roles.has('web') && !roles.has('api') && env.text('SIGNALBOX_API_URL') === undefined) {
    throw new ConfigError(
      'SIGNALBOX_API_URL must name the address of the API when SIGNALBOX_ROLES has web and not api.',
    );
  }
  return roles;
}

function usualRoles(flavour: 'selfHosted' | 'managed'): readonly Role[] {
  return flavour === 'managed' ? allRoles : allRoles.filter((role) => role !== 'pipes');
}

function checkRole(name: string): Role {
  const role = allRoles.find((candidate) => candidate === name.toLowerCase());
  if (role) return role;
  throw new ConfigError(
    `SIGNALBOX_ROLES must be a comma-separated list of ${allRoles.join(', ')}, not ${JSON.stringify(name)}.`,
  );
}

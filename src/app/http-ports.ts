import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import type { CleanupStack } from '../kernel/cleanup-stack.ts';
import { systemClock } from '../kernel/clock.ts';
import { closerOf } from './close-server.ts';
import { listen } from './listen.ts';

/** Base URLs; only of the servers that run. */
export interface HttpAddresses {
  api?: string;
  web?: string;
  ops?: string;
}

/** Opens the HTTP ports that this process serves, each with the server that is built for it. */
export async function openHttpPorts(
  { roles, listen: { host, ports } }: Pick<Config, 'roles' | 'listen'>,
  build: Readonly<Record<keyof HttpAddresses, () => FastifyInstance>>,
  cleanup: CleanupStack,
): Promise<HttpAddresses> {
  const addresses: HttpAddresses = {};
  const open = async (name: keyof HttpAddresses, port: number) => {
    const server = build[name]();
    cleanup.branch().push(`${name} server`, closerOf(server, systemClock));
    addresses[name] = await listen(server, host, port);
  };
  if (roles.has('api')) await open('api', ports.api);
  if (roles.has('web')) await open('web', ports.web);
  if (ports.ops !== undefined) await open('ops', ports.ops);
  return addresses;
}

import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { StartError } from './start-error.ts';

/** Binds a server and answers its base URL. @throws {StartError} when the port can't be had */
export async function listen(server: FastifyInstance, host: string, port: number): Promise<string> {
  await namingPort(host, port, () => server.listen({ host, port }));
  // The address of a server that listens on a port is not a path.
  const { port: bound } = server.server.address() as AddressInfo;
  const scheme = server.initialConfig.https ? 'https' : 'http';
  return `${scheme}://${host.includes(':') ? `[${host}]` : host}:${bound}`;
}

/** Turns "address in use" and its kin into a sentence. */
export async function namingPort<T>(host: string, port: number, bind: () => Promise<T>): Promise<T> {
  try {
    return await bind();
  } catch (error) {
    const text = error instanceof Error ? `${'code' in error ? error.code : ''} ${error.message}` : '';
    const reason =
      bindProblems.find(([code]) => text.includes(code))?.[1] ??
      (/No address added/.test(text) ? 'it is in use' : undefined);
    if (!reason) throw error;
    throw new StartError(`The port ${port} on ${host} can't be used: ${reason}.`, { cause: error });
  }
}

const bindProblems: readonly (readonly [string, string])[] = [
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'this user is not allowed to bind it'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'the host name is unknown'],
];

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type PostgresServer, startPostgresServer } from './postgres-server.ts';

export interface PostgresBroker {
  /** Answers the URL of the server; whoever asks first waits for its start. */
  readonly url: string;
  stop(): Promise<void>;
}

/** One PostgreSQL for all files of a run, started only when one of them needs it. */
export async function startPostgresBroker(): Promise<PostgresBroker> {
  let server: Promise<PostgresServer> | undefined;
  const broker = createServer(async (_request, response) => {
    server ??= startPostgresServer();
    await server.then(
      ({ url }) => response.end(url),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens on a port has an address of this form.
  const { port } = broker.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      broker.closeAllConnections();
      broker.close();
      await server?.then(
        ({ stop }) => stop(),
        () => {},
      );
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Something that a run starts once for its test files. */
export interface Service {
  /** What a test file gets of it, as JSON. */
  readonly facts: object;
  stop(): Promise<void>;
}

export interface RunBroker {
  /** `GET <url>/<kind>/<name>` returns the facts of a service; the first request waits for its start. */
  readonly url: string;
  /** Stops whatever was started. */
  stop(): Promise<void>;
}

/** Starts services of these kinds when a test file first asks for them, one for each name. */
export async function startRunBroker(kinds: Readonly<Record<string, () => Promise<Service>>>): Promise<RunBroker> {
  const started = new Map<string, Promise<Service>>();
  const serviceAt = (path: string): Promise<Service> => {
    const start = kinds[path.split('/')[1] ?? ''];
    if (!start) throw new Error(`no service of a test run is at ${path}`);
    const service = started.get(path) ?? start();
    started.set(path, service);
    return service;
  };
  const server = createServer(async (request, response) => {
    try {
      response.end(JSON.stringify((await serviceAt(request.url ?? '')).facts));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server that listens on a port has an address of this form.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      // A failed start was reported to those who asked, and has nothing to stop.
      const running = await Promise.allSettled(started.values());
      await Promise.all(running.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)));
    },
  };
}

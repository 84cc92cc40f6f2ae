import type { Socket } from 'node:net';
import type { Attack } from './attack.ts';
import { type Answer, openSocket, type Target } from './target.ts';

const kilobyte = 1024;
const holdMs = 3_000;
const chunk = Buffer.alloc(64 * kilobyte, 'x');

interface Held {
  name: string;
  connections: number;
  /** Of each, sent and never finished. */
  bytes: number;
  origin(target: Target): string;
  head(target: Target, bytes: number): string;
}

const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;

/** Many requests that are begun and not finished: what do they hold? */
function held({ name, connections, bytes, origin, head }: Held): Attack {
  return {
    ...{ kind: 'B', name, heavy: true },
    run: async (target): Promise<Answer> => {
      const sockets: Socket[] = [];
      for (let count = 0; count < connections; count += 1) {
        sockets.push(await openSocket(origin(target), head(target, bytes)));
      }
      await Promise.all(sockets.map((socket) => pour(socket, bytes)));
      await new Promise((done) => setTimeout(done, holdMs));
      for (const socket of sockets) socket.destroy();
      return { status: 200, text: '' };
    },
  };
}

/** Writes as much as is taken, within five seconds. */
async function pour(socket: Socket, bytes: number): Promise<void> {
  const until = Date.now() + 5_000;
  for (let sent = 0; sent < bytes - chunk.length && !socket.destroyed && Date.now() < until; sent += chunk.length) {
    if (socket.write(chunk)) continue;
    await new Promise<void>((done) => {
      const timer = setTimeout(done, 1_000);
      socket.once('drain', () => {
        clearTimeout(timer);
        done();
      });
    });
  }
}

const upload = (path: string, key: string, type: string, bytes: number) =>
  lines(
    `POST ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${bytes}`,
  );

/** What many connections together can hold. */
export function heldAttacks(): Attack[] {
  return [
    held({
      ...{ name: '120 log-ins of 5 MB that never end', connections: 120, bytes: 5_000 * kilobyte },
      origin: ({ addresses }) => addresses.web,
      head: (_, bytes) =>
        lines('POST /api/v2/session HTTP/1.1', 'Host: x', 'Content-Type: application/json', `Content-Length: ${bytes}`),
    }),
    held({
      ...{ name: '60 exports of 15 MB that never end', connections: 60, bytes: 15_000 * kilobyte },
      origin: ({ addresses }) => addresses.otlpHttp,
      head: ({ ingestionKey }, bytes) => upload('/v1/logs', ingestionKey, 'application/x-protobuf', bytes),
    }),
    held({
      ...{ name: '60 dashboards of 4 MB that never end', connections: 60, bytes: 4_000 * kilobyte },
      origin: ({ addresses }) => addresses.api,
      head: ({ apiKey }, bytes) => upload('/api/v2/dashboards', `Bearer ${apiKey}`, 'application/json', bytes),
    }),
    held({
      ...{ name: '200 connections that say half a line', connections: 200, bytes: 0 },
      origin: ({ addresses }) => addresses.api,
      head: () => 'GET /heal',
    }),
  ];
}

import { Socket } from 'node:net';
import type { ErrorCode } from '../contract/errors.ts';
import { errorCatalogue } from '../contract/errors.ts';
import type { Clock } from '../kernel/clock.ts';
import { readInTurns } from '../kernel/read-in-turns.ts';
import type { Flavour } from './flavours/flavour.ts';

interface Refused {
  error: Error & { code?: string };
  socket: unknown;
}

/** What Node.js found before there was a request. */
const codes: Record<string, { code: ErrorCode; reason: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', reason: 'Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', reason: 'Request Timeout' },
};
const malformed = { code: 'request_invalid', reason: 'Bad Request' } as const;
/** So long a client that is still sending may take to read the answer. */
const lingerMs = 2_000;

/** What never becomes a request still gets the flavour's error shape. */
export function rejectMalformedHttp(flavour: Flavour, clock: Clock, { error, socket }: Refused): void {
  if (!(socket instanceof Socket)) return;
  if (!socket.writable) return void socket.destroy();
  const { code, reason } = codes[error.code ?? ''] ?? malformed;
  const text = code === 'request_invalid' ? 'The request is not valid HTTP.' : errorCatalogue[code].text;
  const body = flavour.failure({ code, text }, undefined);
  const head = [
    `HTTP/1.1 ${flavour.statusOf(code, undefined)} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Whatever still comes is thrown away: a connection that is closed with unread bytes takes the answer with it.
  readInTurns(socket);
  clock.after(lingerMs, () => socket.destroy());
}

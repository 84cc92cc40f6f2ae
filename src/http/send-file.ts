import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { Answer } from './operation.ts';
import { partsInTurns } from './parts-in-turns.ts';

/**
 * Sends a file as fast as the client takes it. The status is sent before its end is known: a failure on the way breaks
 * the connection off, so that no client takes half of a file for the whole. `onFailure` sees it, as no answer will.
 */
export function sendFile(
  reply: FastifyReply,
  { mediaType, fileName, headers = {}, parts }: Extract<Answer, { kind: 'file' }>,
  onFailure: (error: unknown) => void,
): FastifyReply {
  reply.headers(headers).header('content-type', mediaType);
  reply.header('content-disposition', `attachment; filename="${fileName}"`);
  const body = Readable.from(partsInTurns(parts));
  body.once('error', onFailure);
  return reply.send(body);
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import type { Session } from '../access/session.ts';
import { paramsOf } from './fastify-request.ts';
import type { Call } from './operation.ts';

/** What an operation sees of a request. The abort signal is made only for those who ask for it. */
export class RequestCall implements Call<Record<string, string>, unknown, unknown> {
  readonly principal: Principal;
  readonly params: Record<string, string>;
  query: unknown;
  body: unknown;
  readonly ifMatch?: string;
  readonly requestId: string;
  readonly address: string;
  readonly session?: Session;
  readonly #reply: FastifyReply;
  #abort: AbortController | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply, principal: Principal) {
    this.principal = principal;
    this.params = paramsOf(request);
    this.query = request.query;
    this.body = request.body;
    this.requestId = request.id;
    this.address = request.clientAddress;
    if (request.session) this.session = request.session;
    this.#reply = reply;
    const ifMatch = request.headers['if-match'];
    if (ifMatch !== undefined) this.ifMatch = ifMatch;
  }

  /** Aborts if the client disconnects before the response is sent. */
  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal;
    const abort = new AbortController();
    const response = this.#reply.raw;
    if (response.closed) abort.abort();
    response.once('close', () => {
      if (!response.writableFinished) abort.abort();
    });
    this.#abort = abort;
    return abort.signal;
  }
}

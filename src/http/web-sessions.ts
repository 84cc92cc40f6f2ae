import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProxyToken, proxyTokenHeader } from '../access/proxy-token.ts';
import type { Session } from '../access/session.ts';
import type { SessionCookie } from '../access/session-cookie.ts';
import type { SessionService } from '../access/session-service.ts';
import { AppError } from '../contract/errors.ts';
import { isSameOrigin } from './same-origin.ts';

export interface WebSessionsDeps {
  sessions: Pick<SessionService, 'find'>;
  cookie: SessionCookie;
  /** Origin of `SIGNALBOX_PUBLIC_URL`, where that is set. */
  publicOrigin?: string;
  /**
   * Set on the API port: only requests that carry this token, which the web role of another process adds, may use
   * cookies. Absent on the web port, where every request may.
   */
  proxyToken?: string;
  /** Of the key before, while the secret key is rotated: the web role may not have the new one yet. */
  previousProxyToken?: string | undefined;
}

const safeMethods = new Set(['GET', 'HEAD']);

/** Cookies on one server: who may use them, and what a browser must say for a change (decisions K3). */
export class WebSessions {
  readonly #deps: WebSessionsDeps;

  constructor(deps: WebSessionsDeps) {
    this.#deps = deps;
  }

  get cookie(): SessionCookie {
    return this.#deps.cookie;
  }

  /** Whether the operations of sessions belong into the interface document of this server. */
  get isWebPort(): boolean {
    return this.#deps.proxyToken === undefined;
  }

  /** Whether cookies of this request count. */
  accepts({ headers }: FastifyRequest): boolean {
    const { proxyToken, previousProxyToken } = this.#deps;
    if (proxyToken === undefined) return true;
    const given = headers[proxyTokenHeader];
    return (
      isProxyToken(proxyToken, given) || (previousProxyToken !== undefined && isProxyToken(previousProxyToken, given))
    );
  }

  /**
   * The session of the cookie, if there is one. A request that changes something must come from our own origin: with a
   * session a browser has to say so; without one (logging in) it may say nothing, but not the contrary.
   * @throws {AppError} `cross_origin`
   */
  async open(request: FastifyRequest, reply: FastifyReply): Promise<Session | undefined> {
    const token = this.#deps.cookie.read(request.headers.cookie);
    const found = await this.#deps.sessions.find(token);
    if (!safeMethods.has(request.method)) {
      const same = this.#isSameOrigin(request);
      if (same === false || (found && same !== true)) throw new AppError('cross_origin');
    }
    if (found?.prolonged && token !== undefined) reply.header('set-cookie', this.#deps.cookie.set(token));
    return found && { id: found.id, account: found.account };
  }

  /**
   * Where a request comes from, for limits on log-in. A trusted web role is not the client: the address that it saw is
   * the last one in its header. A trusted proxy (`SIGNALBOX_TRUSTED_PROXIES`) has been resolved already.
   */
  addressOf(request: FastifyRequest): string {
    const forwarded = request.headers['x-forwarded-for'];
    const isDirect = this.isWebPort || request.ip !== request.socket.remoteAddress;
    if (isDirect || typeof forwarded !== 'string') return request.ip;
    return forwarded.slice(forwarded.lastIndexOf(',') + 1).trim();
  }

  #isSameOrigin(request: FastifyRequest): boolean | undefined {
    const { publicOrigin } = this.#deps;
    const forwardedHost = this.isWebPort ? undefined : request.headers['x-forwarded-host'];
    const host = typeof forwardedHost === 'string' ? forwardedHost : request.headers.host;
    return isSameOrigin(request, { host, publicOrigin });
  }
}

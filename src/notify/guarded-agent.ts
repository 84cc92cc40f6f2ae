import { Agent, buildConnector } from 'undici';
import type { SsrfGuard } from './target-guard.ts';

/**
 * Connections that can't be led astray: the host is resolved and checked by the guard, and the connection goes to the
 * checked address, for literal addresses as well as for names. The certificate is still checked against the name.
 */
export function guardedAgent(guard: SsrfGuard, connectTimeoutMs: number): Agent {
  const connect = buildConnector({ timeout: connectTimeoutMs });
  return new Agent({
    connect: (options, callback) => {
      guard.addressFor(options.hostname).then(
        (address) =>
          connect(
            { ...options, hostname: address, servername: options.servername || nameOnly(options.hostname) },
            callback,
          ),
        (error: Error) => callback(error, null),
      );
    },
  });
}

/** TLS takes no address as server name. */
function nameOnly(hostname: string): string {
  return /^[\d.]+$|:/.test(hostname) ? '' : hostname;
}

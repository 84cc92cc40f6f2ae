import { Agent, buildConnector } from 'undici';
import { impliedPort, type SsrfGuard } from './target-guard.ts';

/**
 * Connections that can't be led astray: the host is resolved and checked by the guard, and the connection goes to the
 * checked address, for literal addresses as well as for names. The certificate is still checked against the name.
 */
export function guardedAgent(
  guard: SsrfGuard,
  connectTimeoutMs: number,
  options: Agent.Options = {},
  /** `ca`: trusted instead of the public authorities. */
  tls: { ca?: string } = {},
): Agent {
  const connect = buildConnector({ timeout: connectTimeoutMs, ...tls });
  return new Agent({
    ...options,
    connect: (target, callback) => {
      const port = Number(target.port) || impliedPort(target.protocol);
      guard.addressFor(target.hostname, port).then(
        (address) =>
          connect(
            { ...target, hostname: address, servername: target.servername || nameOnly(target.hostname) },
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

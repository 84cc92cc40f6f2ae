import { trimTrailing } from '../kernel/trim-trailing.ts';
import { sessionMs } from './session-service.ts';

const name = 'signalbox_session';
/** Longer headers are not read at all. */
const headerCharsMax = 16_384;

/** The one cookie of this program: written, cleared and read here only (RFC 6265; decisions K3). */
export class SessionCookie {
  readonly #attributes: string;

  /** `publicUrl`: where browsers reach the web UI; its path limits the cookie, `https` makes it `Secure`. */
  constructor(publicUrl: string) {
    const { protocol, pathname } = new URL(publicUrl);
    // A semicolon is a legal character of a path but would end the attribute.
    const path = trimTrailing(pathname, '/').replaceAll(';', '%3B') || '/';
    this.#attributes = `Path=${path}; HttpOnly; SameSite=Lax${protocol === 'https:' ? '; Secure' : ''}`;
  }

  /** Value of `Set-Cookie` that gives a browser this token. */
  set(token: string): string {
    return `${name}=${token}; ${this.#attributes}; Max-Age=${sessionMs / 1000}`;
  }

  /** Value of `Set-Cookie` that makes a browser forget. */
  clear(): string {
    return `${name}=; ${this.#attributes}; Max-Age=0`;
  }

  /** The token in a `Cookie` header. The first one counts: browsers send the most specific path first. */
  read(header: string | undefined): string | undefined {
    if (header === undefined || header.length > headerCharsMax) return undefined;
    for (const pair of header.split(';')) {
      const equals = pair.indexOf('=');
      if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim();
    }
    return undefined;
  }
}

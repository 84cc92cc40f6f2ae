import type { Clock } from '../kernel/clock.ts';
import type { Ids } from '../kernel/ids.ts';
import type { AccountHome } from './account-home.ts';
import type { IdentityStore } from './identity-repository.ts';
import { hashCredential, sameHash } from './key-secret.ts';
import type { Account, Session, StoredSession } from './session.ts';

const dayMs = 24 * 3_600_000;
export const sessionMs = 14 * dayMs;
/** A session that is used is prolonged at most this often, so that reading stays reading. */
const prolongAfterMs = dayMs;
/** 256 bits. */
const tokenBytes = 32;
const sessionsPerAccountMax = 20;
const tokenPattern = /^[0-9a-f]{64}$/;

export interface SessionServiceDeps {
  identities: IdentityStore;
  home: AccountHome;
  clock: Clock;
  ids: Ids;
}

export interface FoundSession extends Session {
  /** Its end was moved just now: the cookie should be sent again. */
  prolonged: boolean;
}

/**
 * Log-ins of the web UI (decisions K3): random tokens of which only hashes are stored, 14 days from the last use. A
 * session ends with the password it was opened with and with the account, on all replicas immediately, because each
 * request reads the store.
 */
export class SessionService {
  readonly #deps: SessionServiceDeps;

  constructor(deps: SessionServiceDeps) {
    this.#deps = deps;
  }

  /** Opens a session; answers its token, which is stored nowhere. The oldest ones beyond the 20th of an account end. */
  async open(account: Account, store: IdentityStore = this.#deps.identities): Promise<{ token: string; id: string }> {
    const { clock, ids } = this.#deps;
    const token = ids.secret(tokenBytes);
    const nowMs = clock.nowMs();
    const session: StoredSession = {
      id: ids.hex24(),
      hash: hashCredential(token),
      accountId: account.id,
      passwordMark: passwordMark(account),
      createdAtMs: nowMs,
      expiresAtMs: nowMs + sessionMs,
    };
    await store.removeExpiredSessions(nowMs);
    await store.insertSession(session);
    await store.trimSessions(account.id, sessionsPerAccountMax);
    return { token, id: session.id };
  }

  /** The session behind a token; `undefined` when it has ended, or never was one. */
  async find(token: string | undefined): Promise<FoundSession | undefined> {
    if (token === undefined || !tokenPattern.test(token)) return undefined;
    const { identities, home, clock } = this.#deps;
    const hash = hashCredential(token);
    const stored = await identities.findSessionByHash(hash);
    const nowMs = clock.nowMs();
    if (!stored || !sameHash(stored.hash, hash) || nowMs >= stored.expiresAtMs) return undefined;
    const account = await home.find(identities, stored.accountId);
    if (!account || passwordMark(account) !== stored.passwordMark) return undefined;
    return { id: stored.id, account, prolonged: await this.#prolong(stored, nowMs) };
  }

  /** Log-out. */
  end(id: string): Promise<void> {
    return this.#deps.identities.endSession(id);
  }

  /** Keeps one session over a change of the password; all others of the account have ended by it. */
  keep(id: string, account: Account): Promise<void> {
    return this.#deps.identities.updateSession(id, { passwordMark: passwordMark(account) });
  }

  async #prolong(stored: StoredSession, nowMs: number): Promise<boolean> {
    if (stored.expiresAtMs - nowMs > sessionMs - prolongAfterMs) return false;
    await this.#deps.identities.updateSession(stored.id, { expiresAtMs: nowMs + sessionMs });
    return true;
  }
}

function passwordMark({ passwordHash }: Account): string {
  return hashCredential(passwordHash ?? '');
}

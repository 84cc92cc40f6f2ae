/** A person who can log in: member of a team (self-hosted) or of an organization (managed). */
export interface Account {
  /** 24 hex. */
  id: string;
  email: string;
  name?: string;
  /** argon2id in PHC form; absent = cannot log in. */
  passwordHash?: string;
  /** Team; set in the self-hosted flavour. */
  tenantId?: string;
  /** Set in the managed flavour. */
  organizationId?: string;
}

/** A log-in that still counts. */
export interface Session {
  id: string;
  account: Account;
}

/** A session as stored: of its token only the hash (decisions K3). */
export interface StoredSession {
  /** 24 hex. */
  id: string;
  /** SHA-256 of the token, 64 hex; unique. */
  hash: string;
  accountId: string;
  /** Of the password that was used; another password ends the session. */
  passwordMark: string;
  createdAtMs: number;
  /** The session counts before this moment only. */
  expiresAtMs: number;
}

export interface SessionStore {
  insertSession(session: StoredSession): Promise<void>;
  /** One indexed read. Expired sessions are found too: the caller decides. */
  findSessionByHash(hash: string): Promise<StoredSession | undefined>;
  /** Does nothing when there is no such session. */
  updateSession(id: string, changes: { expiresAtMs?: number; passwordMark?: string }): Promise<void>;
  endSession(id: string): Promise<void>;
  endSessionsOf(accountId: string): Promise<void>;
  /** Ends all but the newest `keep` sessions of an account. */
  trimSessions(accountId: string, keep: number): Promise<void>;
  removeExpiredSessions(nowMs: number): Promise<void>;
}

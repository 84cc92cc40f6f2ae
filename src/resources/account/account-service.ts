import type { AccountHome } from '../../access/account-home.ts';
import { addUser } from '../../access/add-user.ts';
import type { AttemptLimiter } from '../../access/attempt-limiter.ts';
import type { IdentityRepository, IdentityStore } from '../../access/identity-repository.ts';
import type { Invitation } from '../../access/invitation.ts';
import { hashCredential } from '../../access/key-secret.ts';
import { hashPassword, passwordProblem, verifyPassword } from '../../access/passwords.ts';
import type { Account, Session } from '../../access/session.ts';
import type { SessionService } from '../../access/session-service.ts';
import { AppError } from '../../contract/errors.ts';
import type { LogIn, SignUp } from '../../contract/session.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Ids } from '../../kernel/ids.ts';

export interface AccountServiceDeps {
  identities: IdentityRepository;
  home: AccountHome;
  sessions: SessionService;
  /** Attempts per address and email, and per address. */
  attempts: { perEmail: AttemptLimiter; perAddress: AttemptLimiter };
  clock: Clock;
  ids: Ids;
}

/** A log-in just made: the token goes into the cookie and nowhere else. */
export interface OpenedSession {
  token: string;
  session: Session;
}

/** Signing up, logging in and out, changing the password (decisions K3). */
export class AccountService {
  readonly #deps: AccountServiceDeps;

  constructor(deps: AccountServiceDeps) {
    this.#deps = deps;
  }

  /**
   * Counts an attempt of an address, whatever becomes of it: called before the body of a log-in or sign-up is read.
   * @throws {AppError} `rate_limited`
   */
  countAttempt(address: string): void {
    rejectMore(this.#deps.attempts.perAddress.take(address));
  }

  /** @throws {AppError} `login_failed`, alike and after the same work for an unknown email; `rate_limited` */
  async logIn({ email, password }: LogIn, address: string): Promise<OpenedSession> {
    const { home, identities } = this.#deps;
    const known = email.toLowerCase();
    const succeeded = this.#countAttempt(address, known);
    const account = await home.findByEmail(identities, known);
    const right = await verifyPassword(account?.passwordHash, password);
    if (!account || !right) throw new AppError('login_failed');
    succeeded();
    return this.#open(account, identities);
  }

  /**
   * The first user of a store signs up freely; later ones need an invitation.
   * @throws {AppError} `registration_closed`, `conflict`, `rate_limited`
   */
  async signUp({ email, password, name, invitation: token }: SignUp, address: string): Promise<OpenedSession> {
    const { home, identities } = this.#deps;
    const succeeded = this.#countAttempt(address, email.toLowerCase());
    // Before the slow hash, so that a rejection costs nothing; checked again inside the transaction.
    if (token !== undefined) await this.#usable(identities, token, email.toLowerCase());
    else if (!(await home.isRegistrationOpen(identities))) throw new AppError('registration_closed');
    await rejectWeak('password', password, email);
    const passwordHash = await hashPassword(password);
    const person = { email: email.toLowerCase(), passwordHash, ...(name === undefined ? {} : { name }) };
    const opened = await identities.transaction(async (store) => {
      const account = token === undefined ? await this.#first(store, person) : await this.#join(store, token, person);
      return this.#open(account, store);
    });
    succeeded();
    return opened;
  }

  logOut(session: Session): Promise<void> {
    return this.#deps.sessions.end(session.id);
  }

  /** Ends all other sessions of the account. @throws {AppError} `request_invalid`, `rate_limited` */
  async changePassword(
    { id, account }: Session,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
    address: string,
  ): Promise<void> {
    const succeeded = this.#countAttempt(address, account.email);
    if (!(await verifyPassword(account.passwordHash, currentPassword))) {
      throw new AppError('request_invalid', { public: 'currentPassword: is not the current password.' });
    }
    succeeded();
    await rejectWeak('newPassword', newPassword, account.email);
    const passwordHash = await hashPassword(newPassword);
    await this.#deps.home.setPassword(this.#deps.identities, account.id, passwordHash);
    await this.#deps.sessions.keep(id, { ...account, passwordHash });
  }

  /** The open invitation behind a token. @throws {AppError} `invitation_not_found` */
  async invitation(token: string): Promise<Invitation> {
    const invitation = await openInvitation(this.#deps.identities, token, this.#deps.clock.nowMs());
    if (!invitation) throw new AppError('invitation_not_found');
    return invitation;
  }

  async #first(store: IdentityStore, person: NewPerson): Promise<Account> {
    if (!(await this.#deps.home.isRegistrationOpen(store))) throw new AppError('registration_closed');
    return orTaken(await this.#deps.home.signUpFirst(store, person));
  }

  /** The link works once, for the address that it was made for. */
  async #join(store: IdentityStore, token: string, person: NewPerson): Promise<Account> {
    const { tenantId, id, name } = await this.#usable(store, token, person.email);
    const user = await addUser(store, this.#deps, { ...(name === undefined ? {} : { name }), ...person, tenantId });
    // The same error as for any unusable invitation: its author must not learn who else has an account.
    if (user === 'emailTaken') throw unusableInvitation();
    await store.removeInvitation(tenantId, id);
    return { ...person, id: user.id, tenantId };
  }

  async #usable(store: IdentityStore, token: string, email: string): Promise<Invitation> {
    const invitation = await openInvitation(store, token, this.#deps.clock.nowMs());
    if (invitation?.email === email) return invitation;
    throw unusableInvitation();
  }

  async #open(account: Account, store: IdentityStore): Promise<OpenedSession> {
    const { token, id } = await this.#deps.sessions.open(account, store);
    return { token, session: { id, account } };
  }

  /**
   * Counted before the password is looked at; call what is returned when it was right. @throws {AppError}
   * `rate_limited`
   */
  #countAttempt(address: string, email: string): () => void {
    const { perEmail } = this.#deps.attempts;
    const key = `${address} ${email}`;
    rejectMore(perEmail.take(key));
    return () => perEmail.forget(key);
  }
}

function unusableInvitation(): AppError {
  const text = 'The invitation is not valid for this email address, has already been used or has expired.';
  return new AppError('registration_closed', { public: text });
}

function rejectMore({ allowed, resetSeconds }: ReturnType<AttemptLimiter['take']>): void {
  if (allowed) return;
  const text = 'Too many attempts; wait before trying again.';
  throw new AppError('rate_limited', { public: text, retryAfterSeconds: resetSeconds });
}

/** @throws {AppError} `request_invalid` */
async function rejectWeak(field: string, password: string, email: string): Promise<void> {
  const problem = await passwordProblem(password, email);
  if (problem !== undefined) throw new AppError('request_invalid', { public: `${field}: ${problem}.` });
}

type NewPerson = { email: string; passwordHash: string; name?: string };

function orTaken<T extends object>(outcome: T | 'emailTaken'): T {
  if (outcome === 'emailTaken') throw new AppError('conflict', { public: 'email: is already in use.' });
  return outcome;
}

async function openInvitation(store: IdentityStore, token: string, nowMs: number): Promise<Invitation | undefined> {
  const invitation = await store.findInvitationByHash(hashCredential(token));
  return invitation && nowMs < invitation.expiresAtMs ? invitation : undefined;
}

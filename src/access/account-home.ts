import type { IdentityStore } from './identity-repository.ts';
import type { Account } from './session.ts';

/** What a person says on signing up; the password is hashed already. */
export interface NewAccount {
  /** Lower case. */
  email: string;
  name?: string;
  passwordHash: string;
}

/** Where the accounts of a flavour live. Every method works inside a transaction as well as outside. */
export interface AccountHome {
  find(store: IdentityStore, id: string): Promise<Account | undefined>;
  /** `email` in lower case. */
  findByEmail(store: IdentityStore, email: string): Promise<Account | undefined>;
  /** Open until a user has a password. */
  isRegistrationOpen(store: IdentityStore): Promise<boolean>;
  /** The first sign-up; call it only while registration is open, inside a transaction. */
  signUpFirst(store: IdentityStore, person: NewAccount): Promise<Account | 'emailTaken'>;
  setPassword(store: IdentityStore, id: string, passwordHash: string): Promise<void>;
}

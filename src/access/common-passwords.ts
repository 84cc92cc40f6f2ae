import { trimTrailing } from '../kernel/trim-trailing.ts';

const ornaments = '0123456789!?.,;:*+#@$%&=_- ';

let listed: Promise<ReadonlySet<string>> | undefined;

/** Half a megabyte of words, read when a password is first chosen. */
function listedPasswords(): Promise<ReadonlySet<string>> {
  listed ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
  return listed;
}

/**
 * Whether a password is among those that are tried first: the fifty thousand most used ones, also with digits and signs
 * behind them and in capitals, or the person's own email address.
 */
export async function isCommonPassword(password: string, email?: string): Promise<boolean> {
  const lower = password.toLowerCase();
  const own = email?.toLowerCase();
  if (own !== undefined && (lower === own || lower === own.slice(0, own.indexOf('@')))) return true;
  if (new Set(lower).size === 1) return true;
  const passwords = await listedPasswords();
  return passwords.has(lower) || passwords.has(trimTrailing(lower, ornaments));
}

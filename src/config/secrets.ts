import { inspect } from 'node:util';
import { ConfigError } from './config-error.ts';
import type { Env } from './env.ts';

const hidden = '[secret]';

/** A text that shows itself only when asked by name: printing, logging or serialising it gives `[secret]`. */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

export interface Secrets {
  /** `SIGNALBOX_SECRET_KEY`; absent = kept in the data folder (`secret-key.ts`). */
  secretKey?: Secret;
  /** While the key is rotated: what it sealed can still be opened. */
  previousSecretKey?: Secret;
  /** With user and password; absent = embedded metadata store. */
  postgresUrl?: Secret;
  /** With users and passwords, in the order given; absent = embedded engine. */
  clickhouseUrls?: readonly Secret[];
}

/** Short texts could be guessed from a sealed secret. */
const secretKeyCharsMin = 8;

/** @throws {ConfigError} */
export function readSecrets(env: Env): Secrets {
  const secretKey = env.text('SIGNALBOX_SECRET_KEY');
  const previousSecretKey = env.text('SIGNALBOX_PREVIOUS_SECRET_KEY');
  const postgresUrl = env.url('SIGNALBOX_POSTGRES_URL', ['postgres:', 'postgresql:']);
  const clickhouseUrls = env.urls('SIGNALBOX_CLICKHOUSE_URL', ['http:', 'https:']);
  if (secretKey !== undefined && secretKey.length < secretKeyCharsMin) {
    throw new ConfigError(`SIGNALBOX_SECRET_KEY must have at least ${secretKeyCharsMin} characters.`);
  }
  if (previousSecretKey !== undefined && (secretKey === undefined || secretKey === previousSecretKey)) {
    throw new ConfigError(
      'SIGNALBOX_PREVIOUS_SECRET_KEY must be set together with SIGNALBOX_SECRET_KEY, and be a different key.',
    );
  }
  if (postgresUrl && secretKey === undefined) {
    throw new ConfigError(
      'SIGNALBOX_SECRET_KEY must be set together with SIGNALBOX_POSTGRES_URL, because every replica needs the same key.',
    );
  }
  return {
    ...(secretKey === undefined ? {} : { secretKey: new Secret(secretKey) }),
    ...(previousSecretKey === undefined ? {} : { previousSecretKey: new Secret(previousSecretKey) }),
    ...(postgresUrl ? { postgresUrl: new Secret(postgresUrl.href) } : {}),
    ...(clickhouseUrls.length > 0 ? { clickhouseUrls: clickhouseUrls.map((url) => new Secret(url.href)) } : {}),
  };
}

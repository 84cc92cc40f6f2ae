import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const version = 'v1';

/** Seals secrets for storage: AES-256-GCM under a key derived from `SIGNALBOX_SECRET_KEY`. */
export class SecretBox {
  readonly #key: Buffer;
  readonly #previous: SecretBox | undefined;

  /** While the key is rotated, what the previous one sealed opens too. */
  constructor(secretKey: string, previousKey?: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secretKey, 'signalbox', 'secret-box v1', 32));
    this.#previous = previousKey === undefined ? undefined : new SecretBox(previousKey);
  }

  /** `context` (for instance the webhook's id) is authenticated: a sealed text opens only where it was sealed. */
  seal(plain: string, context: string): string {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(context));
    const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
    return [
      version,
      nonce.toString('base64url'),
      body.toString('base64url'),
      cipher.getAuthTag().toString('base64url'),
    ].join('.');
  }

  /** Throws when the text was changed, belongs elsewhere or was sealed with another key. */
  open(sealed: string, context: string): string {
    try {
      return this.#openWithCurrent(sealed, context);
    } catch (error) {
      if (!this.#previous) throw error;
      return this.#previous.open(sealed, context);
    }
  }

  /** Whether the current key opens it, without the previous one. */
  isCurrent(sealed: string, context: string): boolean {
    try {
      this.#openWithCurrent(sealed, context);
      return true;
    } catch {
      return false;
    }
  }

  #openWithCurrent(sealed: string, context: string): string {
    const [sealedVersion, nonce, body, tag] = sealed.split('.');
    if (sealedVersion !== version || !nonce || body === undefined || !tag) throw new Error('not a sealed secret');
    const decipher = createDecipheriv('aes-256-gcm', this.#key, Buffer.from(nonce, 'base64url'), { authTagLength: 16 })
      .setAAD(Buffer.from(context))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
  }
}

/** The payload is not a valid OTLP request; nothing of it is stored. The message names the place and what is wrong there. */
export class MalformedPayloadError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'MalformedPayloadError';
  }
}

/** The payload, or the rows it expands to, pass a limit; nothing of it is stored. */
export class PayloadTooLargeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PayloadTooLargeError';
  }
}

/** The key's tenant was removed while its key was still known. */
export class UnknownTenantError extends Error {
  constructor() {
    super('the tenant of this ingestion key does not exist');
    this.name = 'UnknownTenantError';
  }
}

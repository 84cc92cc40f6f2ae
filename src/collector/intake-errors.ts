/**
 * The payload is not a valid OTLP request; nothing of it is stored, unless what is wrong lies inside one record. The
 * message names the place and what is wrong there.
 */
export class MalformedPayloadError extends Error {
  /** What is wrong, without the place: one of few constant sentences. */
  readonly reason: string;

  constructor(reason: string, place = '') {
    super(reason + place);
    this.name = 'MalformedPayloadError';
    this.reason = reason;
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

/** The payload is compressed in a way that is not taken; the message names those that are. */
export class UnknownCompressionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnknownCompressionError';
  }
}

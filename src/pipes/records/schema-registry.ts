import { type Dispatcher, request } from 'undici';
import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { collectBody } from '../collect-body.ts';
import { chainOf } from '../error-chain.ts';
import { SourceError } from '../source-port.ts';
import type { AvroSchemas } from './avro-records.ts';
import { type AvroReader, parseAvroSchema } from './avro-schema.ts';
import { UnreadableRecordError } from './record-format.ts';
import type { RegistrySettings } from './registry-settings.ts';

const timeoutMs = 10_000;
const answerBytesMax = 2 * 1024 ** 2;
const schemasMax = 1_000;
const referencesMax = 100;
/** A number that is unknown now may be known later; records with it are not held up for that. */
const accept = 'application/vnd.schemaregistry.v1+json, application/json';

interface SchemaAnswer {
  schema?: unknown;
  schemaType?: unknown;
  references?: unknown;
}

/** Schemas of a registry as Confluent's and those like it answer, asked for once each. */
export class SchemaRegistry implements AvroSchemas {
  readonly #settings: RegistrySettings;
  readonly #dispatcher: Dispatcher;
  readonly #signal: AbortSignal;
  readonly #known = new Map<number, AvroReader | UnreadableRecordError>();

  constructor(settings: RegistrySettings, dispatcher: Dispatcher, signal: AbortSignal) {
    this.#settings = settings;
    this.#dispatcher = dispatcher;
    this.#signal = signal;
  }

  async load(ids: ReadonlySet<number>): Promise<void> {
    for (const id of ids) {
      if (this.#known.has(id)) continue;
      const reader = await this.#load(id);
      if (this.#known.size >= schemasMax) this.#known.clear();
      this.#known.set(id, reader);
    }
  }

  get(id: number): AvroReader {
    const reader = this.#known.get(id) ?? unknownSchema(id);
    if (reader instanceof UnreadableRecordError) throw reader;
    return reader;
  }

  async #load(id: number): Promise<AvroReader | UnreadableRecordError> {
    const answer = await this.#ask(`/schemas/ids/${id}`);
    if (!answer) return unknownSchema(id);
    try {
      return parseAvroSchema(avroText(answer), await this.#referenced(answer));
    } catch (error) {
      if (error instanceof UnreadableRecordError) return error;
      throw error;
    }
  }

  /** Schemas that this one names, those that they name first. */
  async #referenced(answer: SchemaAnswer, found = new Map<string, string>()): Promise<string[]> {
    for (const { subject, version } of referencesOf(answer)) {
      const key = `${subject} ${version}`;
      if (found.has(key)) continue;
      if (found.size >= referencesMax)
        throw new UnreadableRecordError('The schema of the record names too many others.');
      const named = await this.#ask(`/subjects/${encodeURIComponent(subject)}/versions/${version}`);
      if (!named)
        throw new UnreadableRecordError('The schema of the record names one that the registry does not know.');
      found.set(key, '');
      await this.#referenced(named, found);
      // After those that it names.
      found.delete(key);
      found.set(key, avroText(named));
    }
    return [...found.values()].filter((text) => text !== '');
  }

  /** `undefined` = there is none. */
  async #ask(path: string): Promise<SchemaAnswer | undefined> {
    const { url, credentials } = this.#settings;
    const authorization = credentials && basic(credentials.username, credentials.password);
    try {
      const { statusCode, body } = await request(url + path, {
        dispatcher: this.#dispatcher,
        headers: { accept, ...(authorization && { authorization }) },
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal: this.#signal,
      });
      const tooLong = () => new SourceError('rejected', 'A schema of the registry is too large.');
      return answerOf(statusCode, await collectBody(body, answerBytesMax, tooLong));
    } catch (error) {
      throw registryError(error);
    }
  }
}

function answerOf(status: number, body: Buffer): SchemaAnswer | undefined {
  if (status === 404) return undefined;
  if (status === 401 || status === 403) {
    throw new SourceError('rejected', 'The schema registry rejects the user name or the password.');
  }
  if (status !== 200) throw new SourceError('away', `The schema registry answers with status ${status}.`);
  const parsed: unknown = JSON.parse(body.toString());
  if (typeof parsed === 'object' && parsed !== null) return parsed;
  throw new SourceError('away', 'The schema registry answers with something else than a schema.');
}

function registryError(error: unknown): unknown {
  if (error instanceof SourceError) return error;
  const chain = chainOf(error);
  if (chain.some((link) => link instanceof TargetBlockedError)) {
    const sentence =
      'The schema registry is at a private, loopback, link-local or reserved address. Only public hosts and hosts that the operator allows can be reached.';
    return new SourceError('rejected', sentence, error);
  }
  const isOfCertificate = chain.some(
    (link) => link instanceof Error && 'code' in link && /CERT|SIGNED/.test(String(link.code)),
  );
  if (isOfCertificate)
    return new SourceError('rejected', 'The certificate of the schema registry is not trusted.', error);
  return new SourceError('away', 'The schema registry cannot be reached right now.', error);
}

function avroText({ schema, schemaType }: SchemaAnswer): string {
  if (typeof schema !== 'string' || (schemaType !== undefined && schemaType !== 'AVRO')) {
    throw new UnreadableRecordError('The schema of the record is not an Avro schema.');
  }
  return schema;
}

function referencesOf({ references }: SchemaAnswer): { subject: string; version: number }[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap((entry: unknown) => {
    const { subject, version } = Object(entry);
    return typeof subject === 'string' && Number.isInteger(version) ? [{ subject, version }] : [];
  });
}

function unknownSchema(id: number): UnreadableRecordError {
  return new UnreadableRecordError(`The registry knows no schema with the number ${id}.`);
}

function basic(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

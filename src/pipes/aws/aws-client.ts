import { AwsV4Signer } from 'aws4fetch';
import { type Dispatcher, request } from 'undici';
import { collectBody } from '../collect-body.ts';
import { AwsAnswerError } from './aws-errors.ts';
import { type JsonObject, objectOf, textIn } from './json-fields.ts';

export interface AwsClientDeps {
  /** As signatures name it. */
  service: 'kinesis' | 'sqs';
  /** What comes before the dot in the name of an operation. */
  targetPrefix: string;
  jsonVersion: '1.0' | '1.1';
  url: string;
  region: string;
  accessKey: { id: string; secret: string };
  /** Connections that the address guard checks. */
  dispatcher: Dispatcher;
  answerBytesMax: number;
}

export interface AwsAnswer {
  body: JsonObject;
  /** The time of the service, in whole seconds. */
  serverMs: number;
}

const timeoutMs = 30_000;

/** Operations of an AWS service that speaks JSON, signed with Signature Version 4. */
export class AwsClient {
  readonly #deps: AwsClientDeps;

  constructor(deps: AwsClientDeps) {
    this.#deps = deps;
  }

  /** Throws `AwsAnswerError`, and what connections throw. */
  async call(operation: string, input: object, signal: AbortSignal): Promise<AwsAnswer> {
    const { targetPrefix, jsonVersion, url, dispatcher, answerBytesMax } = this.#deps;
    const body = JSON.stringify(input);
    const signed = await this.#signed(body, {
      'content-type': `application/x-amz-json-${jsonVersion}`,
      'x-amz-target': `${targetPrefix}.${operation}`,
    });
    const answer = await request(url, {
      method: 'POST',
      headers: signed,
      body,
      dispatcher,
      signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    const tooLong = () => new AwsAnswerError('AnswerTooLong', 200);
    const text = await collectBody(answer.body, answerBytesMax, tooLong);
    const parsed = objectOf(parsedOf(text.toString()));
    if (answer.statusCode !== 200) {
      throw new AwsAnswerError(errorNameOf(parsed, answer.headers['x-amzn-errortype']), answer.statusCode);
    }
    const serverMs = Date.parse(String(answer.headers.date));
    return { body: parsed, serverMs };
  }

  async #signed(body: string, headers: Record<string, string>): Promise<Record<string, string>> {
    const { url, service, region, accessKey } = this.#deps;
    const signer = new AwsV4Signer({
      ...{ method: 'POST', url, headers, body, service, region },
      ...{ accessKeyId: accessKey.id, secretAccessKey: accessKey.secret },
    });
    const signed = await signer.sign();
    return Object.fromEntries(signed.headers);
  }
}

function parsedOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `com.amazonaws.kinesis#ResourceNotFoundException` and `ResourceNotFoundException:http://…` name the same. */
function errorNameOf(body: JsonObject, header: string | string[] | undefined): string {
  const given = textIn(body, '__type') ?? textIn(body, 'code') ?? String(header ?? '');
  return (given.split('#').at(-1) ?? '').split(':')[0] ?? '';
}

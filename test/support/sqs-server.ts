import type { IncomingMessage, ServerResponse } from 'node:http';
import { isSigned, sha256 } from './aws-signature.ts';
import { HttpDouble } from './http-double.ts';
import { accessKey } from './s3-server.ts';

interface HeldMessage {
  id: number;
  body: string;
  visibleMs: number;
  receives: number;
  receipt?: string;
}

interface Entry {
  ReceiptHandle: string;
  VisibilityTimeout?: number;
}

const longPollMs = 50;

/** One queue as SQS serves it: signed requests, messages that are hidden for a while and come back. */
export class SqsServer extends HttpDouble {
  messages: HeldMessage[] = [];
  readonly asked: string[] = [];
  /** Answered to an operation while it is set. */
  readonly failures = new Map<string, string>();
  /** How long messages were hidden when they were hidden anew. */
  readonly hidden: number[] = [];
  now: () => number = Date.now;
  #ids = 0;

  get queueUrl(): string {
    return `${this.origin}/123456789012/objects`;
  }

  send(body: object | string): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    this.messages.push({ id: this.#ids++, body: text, visibleMs: 0, receives: 0 });
  }

  /** Messages that were received are visible again, as when their time is over. */
  reappear(): void {
    for (const message of this.messages) message.visibleMs = 0;
  }

  protected async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const operation = String(request.headers['x-amz-target']).replace('AmazonSQS.', '');
    this.asked.push(operation);
    const url = new URL(request.url ?? '/', this.queueUrl);
    const isKnown = isSigned(request, { url, service: 'sqs', payload: sha256(body), key: accessKey });
    const failure = isKnown ? this.failures.get(operation) : 'InvalidSignatureException';
    if (failure !== undefined) {
      const text = JSON.stringify({ __type: `com.amazonaws.sqs#${failure}`, message: 'A text of AWS.' });
      return void response.writeHead(400).end(text);
    }
    const answer = await this.#run(operation, JSON.parse(body), () => response.destroyed);
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end(JSON.stringify(answer));
  }

  async #run(
    operation: string,
    input: { Entries?: Entry[]; WaitTimeSeconds?: number; VisibilityTimeout?: number },
    isLeft: () => boolean,
  ) {
    if (operation === 'ReceiveMessage') {
      if (input.WaitTimeSeconds && this.#visible().length === 0) {
        await new Promise((resolve) => setTimeout(resolve, longPollMs));
      }
      // Else a message of the next test is hidden for one that has left.
      return { Messages: isLeft() ? [] : this.#receive(input.VisibilityTimeout ?? 30) };
    }
    for (const { ReceiptHandle, VisibilityTimeout = 0 } of input.Entries ?? []) {
      const message = this.messages.find(({ receipt }) => receipt === ReceiptHandle);
      if (!message) continue;
      if (operation === 'DeleteMessageBatch') this.messages = this.messages.filter((one) => one !== message);
      else {
        message.visibleMs = this.now() + VisibilityTimeout * 1000;
        this.hidden.push(VisibilityTimeout);
      }
    }
    return { Successful: [], Failed: [] };
  }

  #visible(): HeldMessage[] {
    return this.messages.filter(({ visibleMs }) => visibleMs <= this.now());
  }

  #receive(seconds: number): object[] {
    return this.#visible()
      .slice(0, 10)
      .map((message) => {
        message.visibleMs = this.now() + seconds * 1000;
        message.receipt = `receipt-${message.id}-${message.receives++}`;
        return { MessageId: String(message.id), ReceiptHandle: message.receipt, Body: message.body };
      });
  }
}

/** As S3 writes it, of objects of the bucket `lake`. */
export function createdEvent(
  objects: readonly { key: string; eTag?: string; size?: number; bucket?: string }[],
): object {
  return {
    Records: objects.map(({ key, eTag, size, bucket = 'lake' }) => ({
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      eventTime: '2026-01-02T03:04:05.000Z',
      eventName: 'ObjectCreated:Put',
      s3: { bucket: { name: bucket }, object: { key: encodeURIComponent(key).replaceAll('%20', '+'), eTag, size } },
    })),
  };
}

/** As SNS passes a message on. */
export function fromSns(message: object): object {
  return { Type: 'Notification', TopicArn: 'arn:aws:sns:eu-central-1:1:t', Message: JSON.stringify(message) };
}

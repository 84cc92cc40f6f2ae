import type { AwsClient } from '../aws/aws-client.ts';
import { awsErrorOf } from '../aws/aws-errors.ts';
import { objectsIn, textIn } from '../aws/json-fields.ts';

export interface QueueMessage {
  /** By which this delivery of the message is removed or kept. */
  receipt: string;
  body: string;
}

const perRequest = 10;
const waitSecondsMax = 20;

/** One queue of Amazon SQS. Throws `SourceError`. */
export class SqsQueue {
  readonly #client: AwsClient;
  readonly #url: string;

  constructor(client: AwsClient, url: string) {
    this.#client = client;
    this.#url = url;
  }

  /** Up to ten messages, which others do not get for `hiddenSeconds`; waits for the first. */
  async receive(waitSeconds: number, hiddenSeconds: number, signal: AbortSignal): Promise<QueueMessage[]> {
    const body = await this.#call(
      'ReceiveMessage',
      {
        MaxNumberOfMessages: perRequest,
        WaitTimeSeconds: Math.min(waitSeconds, waitSecondsMax),
        VisibilityTimeout: hiddenSeconds,
      },
      signal,
    );
    return objectsIn(body, 'Messages').map((message) => ({
      receipt: textIn(message, 'ReceiptHandle') ?? '',
      body: textIn(message, 'Body') ?? '',
    }));
  }

  /** A message whose time has run out meanwhile comes again; the ledger knows what was read. */
  async remove(receipts: readonly string[], signal: AbortSignal): Promise<void> {
    for (const Entries of entriesOf(receipts)) await this.#call('DeleteMessageBatch', { Entries }, signal);
  }

  /** Hides messages for so long from now on; 0 = others may have them. */
  async hide(receipts: readonly string[], seconds: number, signal: AbortSignal): Promise<void> {
    for (const page of entriesOf(receipts)) {
      const Entries = page.map((entry) => ({ ...entry, VisibilityTimeout: seconds }));
      await this.#call('ChangeMessageVisibilityBatch', { Entries }, signal);
    }
  }

  async #call(operation: string, input: object, signal: AbortSignal) {
    try {
      const { body } = await this.#client.call(operation, { QueueUrl: this.#url, ...input }, signal);
      return body;
    } catch (error) {
      const noQueue = 'There is no queue at source.objectStorage.queueUrl.';
      throw awsErrorOf(error, {
        subject: 'the queue',
        rights: 'sqs:ReceiveMessage, sqs:DeleteMessage and sqs:ChangeMessageVisibility',
        troubles: { QueueDoesNotExist: noQueue, 'AWS.SimpleQueueService.NonExistentQueue': noQueue },
      });
    }
  }
}

/** The region in the hosts of AWS; others have none. */
export function sqsRegionOf(host: string): string | undefined {
  const labels = host.split('.');
  const isOfAws = labels.includes('amazonaws');
  if (!isOfAws) return undefined;
  return labels[0] === 'sqs' ? labels[1] : labels[0];
}

function* entriesOf(receipts: readonly string[]): Generator<{ Id: string; ReceiptHandle: string }[]> {
  for (let at = 0; at < receipts.length; at += perRequest) {
    yield receipts.slice(at, at + perRequest).map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }));
  }
}

import type { IntakeResult } from '../intake.ts';
import type { Refusal } from '../refusal.ts';
import type { Signal } from '../signal.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

const rejectedNames: Readonly<Record<Signal, string>> = {
  logs: 'rejectedLogRecords',
  traces: 'rejectedSpans',
  metrics: 'rejectedDataPoints',
};
const retryInfoType = 'type.googleapis.com/google.rpc.RetryInfo';

/** `Export…ServiceResponse`, whose numbers are the same for all signals; empty on full success (OTLP). A message without a number is a warning. */
export function exportReplyProtobuf({ rejected, message }: IntakeResult): Buffer {
  const writer = new ProtobufWriter();
  if (message !== undefined) {
    writer.writeMessage(1, () => {
      if (rejected > 0) writer.writeUint32(1, rejected);
      writer.writeText(2, message);
    });
  }
  return writer.view();
}

/** `Export…ServiceResponse` as OTLP/JSON; 64-bit numbers are text there. */
export function exportReplyJson(signal: Signal, { rejected, message }: IntakeResult): string {
  if (message === undefined) return '{}';
  const partialSuccess = { [rejectedNames[signal]]: String(rejected), errorMessage: message };
  return JSON.stringify({ partialSuccess });
}

/** `google.rpc.Status`, with a `RetryInfo` detail when the sender may try again. */
export function statusProtobuf({ rpcCode, message, retryAfterSeconds }: Refusal): Buffer {
  const writer = new ProtobufWriter();
  writer.writeUint32(1, rpcCode);
  writer.writeText(2, message);
  if (retryAfterSeconds !== undefined) {
    writer.writeMessage(3, () => {
      writer.writeText(1, retryInfoType);
      writer.writeMessage(2, () => writer.writeMessage(1, () => writer.writeUint32(1, retryAfterSeconds)));
    });
  }
  return writer.view();
}

/** `google.rpc.Status` as JSON. */
export function statusJson({ rpcCode, message, retryAfterSeconds }: Refusal): string {
  const retryInfo = { '@type': retryInfoType, retryDelay: `${retryAfterSeconds}s` };
  return JSON.stringify({
    code: rpcCode,
    message,
    ...(retryAfterSeconds === undefined ? {} : { details: [retryInfo] }),
  });
}

import type { Readable } from 'node:stream';
import { AppError } from '../contract/errors.ts';
import type { BudgetDecision, HeldBytes } from '../kernel/byte-budget.ts';
import type { Clock } from '../kernel/clock.ts';
import { readInTurns } from '../kernel/read-in-turns.ts';

export interface BodyTerms {
  /** As `Content-Length` says, if it does. */
  announcedBytes: number | undefined;
  bytesMax: number;
  /** From now until the last byte. */
  timeoutMs: number;
  /** Received bytes are counted here; the caller releases them. */
  held: HeldBytes;
  clock: Clock;
}

/**
 * A whole request body. A rejected body is read on and thrown away: a client that is still sending could not read the
 * answer otherwise.
 * @throws {AppError} `payload_too_large`, `request_timeout`, `overloaded`, `rate_limited`, `request_invalid`
 */
export function readBody(body: Readable, terms: BodyTerms): Promise<Buffer> {
  const { announcedBytes, bytesMax, timeoutMs, held, clock } = terms;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const cancelTimeout = clock.after(timeoutMs, () => abort(new AppError('request_timeout')));
    body.on('data', take).once('end', finish).once('error', breakOff).once('close', breakOff);
    readInTurns(body);
    if (announcedBytes !== undefined && announcedBytes > bytesMax) abort(new AppError('payload_too_large'));

    function take(chunk: Buffer): void {
      received += chunk.length;
      const decision = held.grow(chunk.length);
      if (received > bytesMax) abort(new AppError('payload_too_large'));
      else if (decision !== 'granted') abort(budgetError(decision));
      else chunks.push(chunk);
    }

    function finish(): void {
      settle();
      if (announcedBytes === undefined || announcedBytes === received) resolve(Buffer.concat(chunks));
      else reject(new AppError('request_invalid', { public: 'The length of the body differs from Content-Length.' }));
    }

    function breakOff(): void {
      abort(new AppError('request_invalid', { public: 'The request ended before its body was complete.' }));
    }

    function abort(error: AppError): void {
      settle();
      chunks.length = 0;
      held.release();
      reject(error);
    }

    function settle(): void {
      cancelTimeout();
      body.off('data', take).off('end', finish).off('close', breakOff);
    }
  });
}

/** 429 for a holder of too many bytes; the others are asked to retry. */
function budgetError(decision: Exclude<BudgetDecision, 'granted'>): AppError {
  const code = decision === 'holder' ? 'rate_limited' : 'overloaded';
  const text = 'Too many bytes in unfinished requests; send fewer at a time.';
  return new AppError(code, decision === 'holder' ? { public: text, retryAfterSeconds: 1 } : { retryAfterSeconds: 1 });
}

import type { EncodedBlock } from '../../telemetry/ports.ts';
import type { Rejections } from '../rejections.ts';
import type { Arrival } from './arrival.ts';

/** What one export request becomes. */
export interface DecodedRequest {
  /** One block per table that gets rows. */
  blocks: EncodedBlock[];
  /** Records that are stored: log records, spans or metric data points. */
  accepted: number;
  rejected: number;
  /** Those among the rejected whose time is not kept: their sender's clock may be wrong. */
  mistimed: { behind: number; ahead: number };
  /** Why records were rejected or are stored otherwise than they were sent, with counts. */
  message: string | undefined;
}

/** Turns the bytes of one export request into blocks. Throws `MalformedPayloadError` and `PayloadTooLargeError`. */
export interface RequestDecoder {
  /**
   * The time of arrival replaces times that a record does not have; `earlier` are rejections of records that did not get
   * this far.
   */
  decode(payload: Buffer, arrival: Arrival, earlier?: Rejections): DecodedRequest;
}

/** A single log record, span or data point, encoded. */
export const recordBytesMax = 4 << 20;
export const recordTooLarge = 'a record has at most 4 MiB';

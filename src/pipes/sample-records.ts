import type { SampleAnswer } from '../resources/pipes/record-sample.ts';
import { joined, recordCount, recordEnds } from './destination/text-records.ts';
import { dryJob } from './dry-job.ts';
import type { PipeDefinition } from './pipe-definition.ts';
import type { Connector, SourceBatch } from './source-port.ts';

const batchBytesMax = 1024 ** 2;
/** What the engine is given to derive types from: escaped it still fits into a statement. */
const sampleBytesMax = 64 * 1024;

/**
 * The first records that a source has within the time, read as a pipe reads them that has no ledger: nothing is
 * acknowledged or made there. Throws `SourceError`.
 */
export async function sampleOf(connector: Connector, pipe: PipeDefinition, signal: AbortSignal): Promise<SampleAnswer> {
  const done = new AbortController();
  const limits = { lanes: 1, batchBytesMax };
  const source = await connector.open(dryJob(pipe, limits, AbortSignal.any([signal, done.signal])));
  try {
    for await (const lane of source.lanes()) {
      for await (const batch of lane) {
        // No more is read, whatever is under way.
        done.abort();
        return textSample(batch);
      }
    }
    return { sample: undefined };
  } catch (error) {
    // Nothing came within the time.
    if (signal.aborted) return { sample: undefined };
    throw error;
  } finally {
    done.abort();
    await source.close();
  }
}

function textSample(batch: SourceBatch): SampleAnswer {
  const { format, fields, delimiter, isWhole = false } = batch;
  if (format !== 'JSONEachRow' && format !== 'JSONAsObject' && format !== 'CSV' && format !== 'TabSeparated') {
    return { problem: `Fields of records in ${format} are not listed.` };
  }
  const whole = joined(batch.body);
  const isCsv = format === 'CSV';
  if (isWhole && whole.length > sampleBytesMax) {
    return { problem: 'The first object is one JSON list, which is too large to look into.' };
  }
  const text = isWhole ? whole : whole.subarray(0, endOfSample(whole, isCsv));
  if (text.length === 0) return { sample: undefined };
  if (text.length > sampleBytesMax) return { problem: 'The first record of the source is too large to look into.' };
  return {
    sample: {
      format: format === 'JSONAsObject' ? 'JSONEachRow' : format,
      text: text.toString(),
      records: isWhole ? 1 : recordCount([text], isCsv),
      ...(fields && { fields }),
      ...(delimiter !== undefined && { delimiter }),
    },
  };
}

/** Whole records, at least one. */
function endOfSample(text: Buffer, isCsv: boolean): number {
  const ends = recordEnds(text, isCsv);
  return ends.findLast((end) => end <= sampleBytesMax) ?? ends[0] ?? 0;
}

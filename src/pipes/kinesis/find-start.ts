import type { LedgerEntry } from '../pipe-ledger.ts';
import { SourceError, type SourceJob } from '../source-port.ts';
import {
  caughtUpEntry,
  type KinesisLedger,
  type KnownStream,
  type PlannedBatch,
  shardEntry,
  streamEntry,
  type WrittenShard,
} from './kinesis-ledger.ts';
import type { StreamStart } from './kinesis-settings.ts';
import type { KinesisStream, ShardPlace, ShardPosition, StreamDescription } from './kinesis-stream.ts';

/** Where a run begins. */
export interface KinesisStart {
  stream: KnownStream;
  shards: readonly ShardPlace[];
  plans: readonly PlannedBatch[];
}

/**
 * Where the pipe continues: as the ledger says, or, the first time, as the settings say, which is made durable. What was
 * lost is said once, in a `SourceError`; the next run continues with what is left. Throws what the service throws.
 */
export async function findStart(
  job: SourceJob,
  { stream, ledger, start }: { stream: KinesisStream; ledger: KinesisLedger; start: StreamStart },
): Promise<KinesisStart> {
  const description = await stream.describe();
  const known = await ledger.stream();
  const plans = await ledger.plans();
  if (known && known.created !== description.created) await refuseRecreated(job, ledger, { plans, description });
  const begun = known ?? (await begin(job, description, start));
  const shards = await stream.shards();
  // Batches that were interrupted come first; they may say themselves what is lost.
  if (plans.length === 0) await refuseLost(job, ledger, { shards, description });
  return { stream: begun, shards, plans };
}

async function begin(
  job: SourceJob,
  { created, serverMs }: StreamDescription,
  start: StreamStart,
): Promise<KnownStream> {
  if (start.kind === 'time' && start.ms > serverMs + 1000) {
    throw new SourceError(
      'rejected',
      'source.kinesis.timestamp: must not be in the future; iteratorType LATEST begins now.',
    );
  }
  const stream = { created, start: fixedStart(start, serverMs) };
  await job.plan([streamEntry(stream)]);
  return stream;
}

/** `LATEST` as a moment, so that a run that is interrupted before it has read anything skips nothing. */
function fixedStart(start: StreamStart, serverMs: number): ShardPosition {
  if (start.kind === 'oldest') return 'oldest';
  return { fromMs: start.kind === 'now' ? serverMs : start.ms };
}

async function refuseRecreated(
  job: SourceJob,
  ledger: KinesisLedger,
  { plans, description }: { plans: readonly PlannedBatch[]; description: StreamDescription },
): Promise<never> {
  const shards = await ledger.shards();
  await job.plan([
    streamEntry({ created: description.created, start: 'oldest' }),
    ...[...shards.keys()].map((shard) => shardEntry(shard, undefined)),
    ...plans.map(({ key }): LedgerEntry => ({ key, position: undefined })),
  ]);
  throw new SourceError('away', 'The stream was deleted and made anew, and is read from its beginning.');
}

/** Shards that are no longer there, and times in which nothing was read. */
async function refuseLost(
  job: SourceJob,
  ledger: KinesisLedger,
  { shards, description }: { shards: readonly ShardPlace[]; description: StreamDescription },
): Promise<void> {
  const written = await ledger.shards();
  const present = new Set(shards.map(({ id }) => id));
  const gone = [...written].filter(([id]) => !present.has(id));
  const unfinished = gone.filter(([, shard]: [string, WrittenShard]) => shard !== 'end').length;
  const caughtUpMs = await ledger.caughtUpMs();
  const isLate = caughtUpMs !== undefined && caughtUpMs < description.serverMs - description.retentionMs;
  const entries = gone.map(([id]) => shardEntry(id, undefined));
  if (isLate) entries.push(caughtUpEntry(description.serverMs));
  if (entries.length > 0) await job.plan(entries);
  if (unfinished > 0) {
    const sentence = `The retention of the stream has removed ${unfinished} shards before they were read to their end; the pipe continues with what is left.`;
    throw new SourceError('away', sentence);
  }
  if (!isLate) return;
  const hours = description.retentionMs / 3_600_000;
  const sentence = `The pipe had not read everything for longer than the ${hours} hours that the stream keeps records; some may be missing. It continues with the oldest that are left.`;
  throw new SourceError('away', sentence);
}

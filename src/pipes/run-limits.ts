import type { PipeInput } from '../contract/pipe-input.ts';
import { snapshotWidthOf } from './postgres/postgres-plan.ts';

export interface RunLimits {
  /** Lanes that are written at the same time. */
  lanes: number;
  batchBytesMax: number;
}

/** One process reads for all replicas of a pipe. */
const lanesMax = 16;
const mebibyte = 1024 ** 2;
const usualBatchBytes = 32 * mebibyte;
const batchBytes = { min: mebibyte, max: 128 * mebibyte };
const usualMemoryGb = 2;
/** A batch is held as it arrived, and once more while the next is read; the engine parses it beside that. */
const copiesOfBatch = 4;

/** What scaling and settings allow (seed §Pipe scaling, settings). */
export function limitsOf(pipe: Pick<PipeInput, 'scaling' | 'settings' | 'source'>): RunLimits {
  const { scaling = {}, settings = {} } = pipe;
  const { replicas = 1, concurrency = 0, replicaMemoryGb = usualMemoryGb } = scaling;
  const perReplica = settings.object_storage_concurrency ?? (concurrency > 0 ? concurrency : 1);
  const downloads = settings.engine_max_download_threads || lanesMax;
  const lanes = Math.max(1, Math.min(lanesMax, copyLanesOf(pipe) ?? replicas * perReplica, downloads));
  const memoryBytes = (replicaMemoryGb * replicas * 1024 ** 3) / (copiesOfBatch * lanes);
  const wanted = settings.engine_min_insert_block_size_bytes || usualBatchBytes;
  const bytes = Math.min(wanted, memoryBytes, settings.object_storage_max_insert_bytes ?? batchBytes.max);
  return { lanes, batchBytesMax: Math.floor(Math.max(batchBytes.min, Math.min(batchBytes.max, bytes))) };
}

/** A database has its own settings for what is copied at the same time. */
function copyLanesOf({ source }: Pick<PipeInput, 'source'>): number | undefined {
  if (!source?.postgres) return undefined;
  const { lanesPerTable, tablesAtOnce } = snapshotWidthOf(source.postgres.settings ?? {});
  return lanesPerTable * tablesAtOnce;
}

/** Settings of the engine that every insert of the pipe comes with. */
export function engineSettingsOf({ scaling = {}, settings = {} }: Pick<PipeInput, 'scaling' | 'settings'>) {
  const cores = scaling.replicaCpuMillicores && Math.ceil(scaling.replicaCpuMillicores / 1000);
  const threads = settings.engine_max_threads || cores;
  return {
    ...(threads && { max_threads: threads }),
    ...(settings.engine_max_insert_threads && { max_insert_threads: settings.engine_max_insert_threads }),
    ...(settings.engine_parallel_distributed_insert_select !== undefined && {
      parallel_distributed_insert_select: settings.engine_parallel_distributed_insert_select,
    }),
    ...(settings.engine_parallel_view_processing !== undefined && {
      parallel_view_processing: Number(settings.engine_parallel_view_processing),
    }),
  };
}

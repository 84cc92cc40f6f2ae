import type { Source } from './source.ts';

/** Records of one tenant that the collector rejected lately for their times. */
export interface MistimedCount {
  signal: 'logs' | 'traces' | 'metrics';
  /** `behind`: older than the retention; `ahead`: more than a day ahead. */
  clock: 'behind' | 'ahead';
  records: number;
  /** Unix ms. */
  lastAtMs: number;
}

/** Port: what this process rejected within the last hour because the clocks of senders are wrong. */
export interface MistimedRecords {
  recent(tenantId: string): readonly MistimedCount[];
}

export interface SourceWarning {
  path: string;
  message: string;
}

const kinds = { logs: 'log', traces: 'trace', metrics: 'metric' } as const;
const nouns = { logs: 'log record', traces: 'span', metrics: 'data point' } as const;
const faults = { behind: 'older than what is kept', ahead: 'more than a day ahead' } as const;

/** A sentence for each count, at the first source that such records would have gone to. */
export function mistimedWarnings(sources: readonly Source[], counts: readonly MistimedCount[]): SourceWarning[] {
  return counts.map(({ signal, clock, records, lastAtMs }) => {
    const index = sources.findIndex(({ kind }) => kind === kinds[signal]);
    const noun = nouns[signal];
    const [what, whose] =
      records === 1 ? [`1 ${noun} was`, 'its time is'] : [`${records} ${noun}s were`, 'their times are'];
    const last = new Date(lastAtMs).toISOString();
    const message = `${what} rejected, the last at ${last}: ${whose} ${faults[clock]}. Check the clocks of the senders.`;
    return { path: index < 0 ? '' : String(index), message };
  });
}

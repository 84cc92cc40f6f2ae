import type { Warning } from '../../contract/warning.ts';
import type { MistimedCount } from '../../telemetry/ports.ts';
import type { Source } from './source.ts';

const kinds = { logs: 'log', traces: 'trace', metrics: 'metric' } as const;
const nouns = { logs: 'log record', traces: 'span', metrics: 'data point' } as const;
const problems = { behind: 'older than what is kept', ahead: 'more than a day ahead' } as const;

/** A sentence for each count, at the first source that such records would have gone to. */
export function mistimedWarnings(sources: readonly Source[], counts: readonly MistimedCount[]): Warning[] {
  return counts.map(({ signal, clock, records, lastAtMs }) => {
    const index = sources.findIndex(({ kind }) => kind === kinds[signal]);
    const noun = nouns[signal];
    const [what, whose] =
      records === 1 ? [`1 ${noun} was`, 'its time is'] : [`${records} ${noun}s were`, 'their times are'];
    const last = new Date(lastAtMs).toISOString();
    const message = `${what} rejected, the last at ${last}: ${whose} ${problems[clock]}. Check the clocks of the senders.`;
    return { path: index < 0 ? '' : String(index), message };
  });
}

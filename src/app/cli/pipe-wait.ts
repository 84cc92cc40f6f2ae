import { type Clock, delay } from '../../kernel/clock.ts';
import type { StoredPipe } from '../../resources/pipes/pipe.ts';
import type { PipeChange } from '../../resources/pipes/pipe-run.ts';
import { firstStateOf, type PipeCommand } from '../../resources/pipes/pipe-transitions.ts';
import { formatCount, formatIso } from './format-pipe.ts';

export interface WatchedPipe {
  pipe: StoredPipe;
  /** Newest first. */
  changes: readonly PipeChange[];
}

export type WaitEnding = 'reached' | 'missed' | 'late';

export interface WaitOrder {
  read: () => Promise<WatchedPipe>;
  command: PipeCommand;
  /** A pipe that runs is not done yet. */
  untilCompleted: boolean;
  /** Changes from before the command. */
  known: readonly PipeChange[];
  timeoutMs: number;
  clock: Clock;
  /** One line per change of state, and the rows every few seconds. */
  onProgress: (line: string) => void;
}

const lookMs = 300;
const rowsEveryMs = 5_000;

const starting = [
  ...['Provisioning', 'Setup', 'Snapshot', 'Modifying', 'Resync', 'Degraded', 'Running'],
  // Someone stops it: it is known soon in which state that ends.
  ...['Stopping', 'Pausing'],
];
const onTheWay: Readonly<Record<PipeCommand, readonly string[]>> = {
  start: starting,
  resync: starting,
  stop: ['Stopping', 'Pausing'],
};
const done: Readonly<Record<PipeCommand, readonly string[]>> = {
  start: ['Running', 'Completed'],
  resync: ['Running', 'Completed'],
  stop: ['Stopped', 'Paused'],
};

/** Looks at a pipe after a command until it is done, cannot be done any more, or the time is over. */
export async function waitForPipe(order: WaitOrder): Promise<WatchedPipe & { ending: WaitEnding }> {
  const { read, clock, timeoutMs } = order;
  const endMs = clock.nowMs() + timeoutMs;
  const report = reporter(order);
  for (;;) {
    const watched = await read();
    report(watched);
    const ending = endingOf(watched.pipe, order);
    if (ending) return { ...watched, ending };
    if (clock.nowMs() >= endMs) return { ...watched, ending: 'late' };
    await delay(clock, Math.min(lookMs, endMs - clock.nowMs()));
  }
}

export function stateOf({ run, fields }: StoredPipe): string {
  return run?.state ?? fields.state;
}

function endingOf({ run, fields }: StoredPipe, { command, untilCompleted }: WaitOrder): WaitEnding | undefined {
  // What no process has seen yet does not run, whatever its record says.
  const state = run?.state ?? firstStateOf(fields.state);
  if (untilCompleted ? state === 'Completed' : done[command].includes(state)) return 'reached';
  return onTheWay[command].includes(state) ? undefined : 'missed';
}

function reporter({ known, clock, onProgress }: WaitOrder): (watched: WatchedPipe) => void {
  const seen = new Set(known.map(keyOf));
  let [rows, rowsAtMs] = [0, clock.nowMs()];
  return ({ pipe, changes }) => {
    for (const change of [...changes].reverse()) {
      if (seen.has(keyOf(change))) continue;
      seen.add(keyOf(change));
      const { at, state, reason } = change;
      onProgress(`${formatIso(at)}  ${state}${reason === undefined ? '' : `: ${reason}`}\n`);
    }
    const present = pipe.run?.progress.rows ?? 0;
    if (present === rows || clock.nowMs() < rowsAtMs + rowsEveryMs) return;
    [rows, rowsAtMs] = [present, clock.nowMs()];
    onProgress(`${formatIso(new Date(rowsAtMs).toISOString())}  ${formatCount(rows)} rows\n`);
  };
}

function keyOf({ at, state, reason }: PipeChange): string {
  return JSON.stringify([at, state, reason]);
}

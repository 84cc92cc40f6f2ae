import { childrenOf } from '../../bench/process-usage.ts';
import type { SoakWorld } from './soak-world.ts';

export interface Fault {
  name: string;
  /** Absent = it is over immediately. */
  lastsMs?: number;
  begin(world: SoakWorld): void;
  end?(world: SoakWorld): void;
}

/** One after the other, again and again. */
export const faults: readonly Fault[] = [
  {
    name: 'engine killed',
    begin: ({ program }) => {
      for (const pid of childrenOf(program.pid)) process.kill(pid, 'SIGKILL');
    },
  },
  { name: 'PostgreSQL connections reset', begin: ({ gate }) => gate.cut() },
  {
    name: 'receiver hanging',
    lastsMs: 20_000,
    begin: ({ receiver }) => {
      receiver.hanging = true;
    },
    end: ({ receiver }) => {
      receiver.hanging = false;
    },
  },
  {
    name: 'disk full',
    lastsMs: 15_000,
    begin: ({ disk }) => disk.fill(),
    end: ({ disk }) => disk.free(),
  },
];

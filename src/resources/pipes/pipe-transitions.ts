import { pipeStates } from '../../contract/pipe.ts';

/** decisions P3. */
export type PipeState = (typeof pipeStates)[number];

/** Pipes that read a database are paused where others are stopped. */
export type PipeFamily = 'stream' | 'database';

/** What people ask for. */
export const pipeCommands = ['start', 'stop', 'resync'] as const;
export type PipeCommand = (typeof pipeCommands)[number];

/** What happens to a pipe: commands, edits, and what the process that runs it finds out. */
export const pipeEvents = [
  ...pipeCommands,
  'edit',
  'setup',
  'snapshot',
  'flow',
  'trouble',
  'complete',
  'fail',
  'crash',
  'halt',
] as const;
export type PipeEvent = (typeof pipeEvents)[number];

const live: readonly PipeState[] = ['Provisioning', 'Setup', 'Snapshot', 'Running', 'Degraded', 'Modifying', 'Resync'];
const ending: readonly PipeState[] = ['Stopping', 'Pausing'];
const resting: readonly PipeState[] = ['Unknown', 'Stopped', 'Paused', 'Completed', 'Failed', 'InternalError'];
const beforeRows: readonly PipeState[] = ['Provisioning', 'Setup', 'Snapshot', 'Degraded', 'Modifying', 'Resync'];

/** From which states, and to which, an event leads. */
type Rule = readonly [from: readonly PipeState[], to: PipeState | 'unchanged'];

/** The first rule that names the state counts; where none does, the event is not possible. */
const rules: Readonly<Record<PipeFamily, Readonly<Record<PipeEvent, readonly Rule[]>>>> = {
  stream: rulesOf({ ending: 'Stopping', ended: 'Stopped', resync: [] }),
  database: rulesOf({
    ending: 'Pausing',
    ended: 'Paused',
    resync: [[['Running', 'Degraded', 'Snapshot', 'Paused', 'Completed', 'Failed'], 'Resync']],
  }),
};

interface FamilyRules {
  ending: PipeState;
  ended: PipeState;
  resync: readonly Rule[];
}

function rulesOf(family: FamilyRules): Record<PipeEvent, readonly Rule[]> {
  return {
    start: [[resting, 'Provisioning']],
    stop: [
      [live, family.ending],
      [['Unknown', 'Completed', 'Failed', 'InternalError'], family.ended],
      [['Stopping', 'Pausing', 'Stopped', 'Paused'], 'unchanged'],
    ],
    resync: family.resync,
    edit: [
      [live, 'Modifying'],
      [[...ending, ...resting], 'unchanged'],
    ],
    setup: [[beforeRows, 'Setup']],
    snapshot: [[beforeRows, 'Snapshot']],
    flow: [[live, 'Running']],
    trouble: [[live, 'Degraded']],
    complete: [[live, 'Completed']],
    fail: [[live, 'Failed']],
    crash: [[live, 'InternalError']],
    halt: [
      [['Stopping'], 'Stopped'],
      [['Pausing'], 'Paused'],
    ],
  };
}

/** The state that `event` leads to; `undefined` where it is not possible. `docs/pipes.md` shows the whole table. */
export function nextPipeState(family: PipeFamily, state: PipeState, event: PipeEvent): PipeState | undefined {
  const to = rules[family][event].find(([from]) => from.includes(state))?.[1];
  return to === 'unchanged' ? state : to;
}

/** The states in which a command is possible. */
export function statesFor(family: PipeFamily, command: PipeCommand): PipeState[] {
  return pipeStates.filter((state) => nextPipeState(family, state, command) !== undefined);
}

/** Whether a process has to do something: move rows, or end doing so. */
export function isActive(state: PipeState): boolean {
  return live.includes(state) || ending.includes(state);
}

export function isEnding(state: PipeState): boolean {
  return ending.includes(state);
}

export const activeStates: readonly PipeState[] = [...live, ...ending];

/**
 * The state with which a pipe begins that has a record and never ran: what it is given as running is provisioned first;
 * what is at rest stays so.
 */
export function firstStateOf(given: string): PipeState {
  const state = pipeStates.find((known) => known === given);
  if (state === undefined || state === 'Unknown' || live.includes(state)) return 'Provisioning';
  if (state === 'Stopping') return 'Stopped';
  return state === 'Pausing' ? 'Paused' : state;
}

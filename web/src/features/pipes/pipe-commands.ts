import type { PipeStatus } from '../../../../src/contract/pipe-status.ts';

export type PipeCommand = PipeStatus['commands'][number];

const onTheWay = ['Provisioning', 'Setup', 'Snapshot', 'Stopping', 'Pausing', 'Modifying', 'Resync'];
const stopped = ['Stopped', 'Paused'];
const stopping = ['Stopping', 'Pausing'];

/** Whether the state is one that soon becomes another. */
export function isOnTheWay(state: string): boolean {
  return onTheWay.includes(state);
}

/** Why a command is not possible now, as a sentence; `undefined` if it is. */
export function reasonAgainst(
  command: PipeCommand,
  { state, commands }: Pick<PipeStatus, 'state' | 'commands'>,
): string | undefined {
  if (command === 'stop' && stopped.includes(state)) return 'The pipe is stopped.';
  if (stopping.includes(state)) return 'The pipe is being stopped.';
  if (commands.includes(command)) return undefined;
  if (command === 'start') return 'The pipe is started.';
  return `This is not possible while the pipe is ${state}.`;
}

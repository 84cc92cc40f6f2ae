import { expect, it } from 'vitest';
import { isOnTheWay, reasonAgainst } from './pipe-commands.ts';

it.each([
  ['start', 'Running', ['stop'], 'The pipe is started.'],
  ['start', 'Stopping', ['stop'], 'The pipe is being stopped.'],
  ['start', 'Failed', ['start', 'stop'], undefined],
  ['stop', 'Running', ['stop'], undefined],
  ['stop', 'Paused', ['start', 'stop'], 'The pipe is stopped.'],
  ['stop', 'Pausing', ['stop'], 'The pipe is being stopped.'],
  ['resync', 'Stopped', ['start', 'stop'], 'This is not possible while the pipe is Stopped.'],
  ['resync', 'Paused', ['start', 'stop', 'resync'], undefined],
] as const)('%s of a pipe that is %s', (command, state, commands, reason) => {
  expect(reasonAgainst(command, { state, commands: [...commands] })).toBe(reason);
});

it('a state that soon becomes another is looked at more often', () => {
  expect(['Provisioning', 'Snapshot', 'Running', 'Degraded', 'Failed', 'Renamed'].map(isOnTheWay)).toEqual([
    ...[true, true, false, false, false, false],
  ]);
});

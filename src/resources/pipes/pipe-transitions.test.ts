import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pipeStates } from '../../contract/pipe.ts';
import {
  firstStateOf,
  isActive,
  isEnding,
  nextPipeState,
  type PipeEvent,
  type PipeFamily,
  type PipeState,
  pipeEvents,
  statesFor,
} from './pipe-transitions.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/pipes.md'), 'utf8');
const families: readonly PipeFamily[] = ['stream', 'database'];

/** As the page has it: a row per state, a column per event, nothing where the event is not possible. */
function tableOf(family: PipeFamily): string[][] {
  return pipeStates.map((state) => [state, ...pipeEvents.map((event) => nextPipeState(family, state, event) ?? '')]);
}

/** The cells of the table below a heading of the page. */
function tableBelow(heading: string): string[][] {
  const lines = page.slice(page.indexOf(heading)).split('\n');
  const first = lines.findIndex((line) => line.startsWith('|'));
  const table = lines.slice(
    first,
    lines.findIndex((line, at) => at > first && !line.startsWith('|')),
  );
  return table.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe.each(families)('docs/pipes.md has the transitions of %s pipes', (family) => {
  it('cell for cell', () => {
    const [head = [], , ...rows] = tableBelow(`### States of ${family} pipes`);
    expect(head.slice(1)).toEqual([...pipeEvents]);
    expect(rows).toEqual(tableOf(family));
  });
});

describe('decisions P3: from wherever a pipe is', () => {
  const events = fc.array(fc.constantFrom(...pipeEvents), { maxLength: 30 });
  const walk = (family: PipeFamily, path: readonly PipeEvent[], from: PipeState = 'Provisioning') =>
    path.reduce<PipeState>((state, event) => nextPipeState(family, state, event) ?? state, from);

  it('a stop leads to rest, and a start from there to running', () => {
    fc.assert(
      fc.property(fc.constantFrom(...families), events, (family, path) => {
        const stopped = walk(family, [...path, 'stop', 'halt']);
        expect(['Stopped', 'Paused']).toContain(stopped);
        expect(walk(family, ['start', 'flow'], stopped)).toBe('Running');
      }),
    );
  });

  it('no finding of a process overrides a stop', () => {
    const findings: readonly PipeEvent[] = [
      'edit',
      'setup',
      'snapshot',
      'flow',
      'trouble',
      'complete',
      'fail',
      'crash',
    ];
    fc.assert(
      fc.property(fc.constantFrom(...families), events, fc.constantFrom(...findings), (family, path, finding) => {
        const ending = walk(family, [...path, 'stop']);
        expect(walk(family, [finding], ending)).toBe(ending);
      }),
    );
  });

  it('what is at rest needs no process, everything else does', () => {
    for (const state of pipeStates) {
      const canHalt = families.some((family) => nextPipeState(family, state, 'halt') !== undefined);
      expect(canHalt, state).toBe(isEnding(state));
      const moves = families.some((family) => nextPipeState(family, state, 'fail') !== undefined);
      expect(moves || isEnding(state), state).toBe(isActive(state));
    }
  });
});

it('commands say from where they are possible', () => {
  expect(statesFor('stream', 'start')).toEqual([
    'Unknown',
    'Stopped',
    'Paused',
    'Completed',
    'Failed',
    'InternalError',
  ]);
  expect(statesFor('stream', 'resync')).toEqual([]);
  expect(statesFor('stream', 'stop')).toEqual([...pipeStates]);
});

it.each([
  ['Running', 'Provisioning'],
  ['Snapshot', 'Provisioning'],
  ['Unknown', 'Provisioning'],
  ['a state of another system', 'Provisioning'],
  ['Stopping', 'Stopped'],
  ['Pausing', 'Paused'],
  ['Paused', 'Paused'],
  ['Completed', 'Completed'],
  ['Failed', 'Failed'],
])('a record given as %s begins as %s', (given, first) => {
  expect(firstStateOf(given)).toBe(first);
});

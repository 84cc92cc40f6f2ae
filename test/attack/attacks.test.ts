import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ingestionKey, personalKey, type RunningProgram, startProgram } from '../support/start-program.ts';
import { allAttacks, resolverOption } from './all-attacks.ts';
import { isRightAnswer } from './attack.ts';

let program: RunningProgram;

beforeAll(async () => {
  // The heap that all of it has to fit into.
  program = await startProgram({ env: { NODE_OPTIONS: `--max-old-space-size=1024 ${resolverOption}` } });
});
afterAll(() => program?.stop());

describe('what small requests can do', () => {
  // Bad input has a separate generated test.
  it.each(allAttacks().filter(({ heavy, kind }) => !heavy && kind !== 'E'))('$kind: $name', async (attack) => {
    const target = { addresses: program.addresses, apiKey: personalKey, ingestionKey };
    const answer = await attack.run(target);
    expect([isRightAnswer(attack, answer), answer.status, answer.text.slice(0, 300)]).toEqual([
      true,
      answer.status,
      expect.anything(),
    ]);
    expect((await fetch(`${program.addresses.api}/health`)).status).toBe(200);
  });

  it('the process that answered all of that is the one that was started', async () => {
    expect((await program.kill('SIGTERM')).code).toBe(0);
  });
});

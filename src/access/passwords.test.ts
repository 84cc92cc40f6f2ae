import { describe, expect, it } from 'vitest';
import { hashPassword, passwordProblem, verifyPassword } from './passwords.ts';

describe('passwords (decisions K3)', () => {
  it('are stored as argon2id, each with its own salt', async () => {
    const [one, two] = await Promise.all([hashPassword('correct-horse'), hashPassword('correct-horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(two).not.toBe(one);
    expect(await verifyPassword(one, 'correct-horse')).toBe(true);
    expect(await verifyPassword(one, 'correct-horsf')).toBe(false);
  });

  it('an unknown user, a damaged hash and an endless password are simply wrong', async () => {
    expect(await verifyPassword(undefined, 'correct-horse')).toBe(false);
    expect(await verifyPassword('not a hash', 'correct-horse')).toBe(false);
    expect(await verifyPassword(await hashPassword('x'.repeat(1025)), 'x'.repeat(1025))).toBe(false);
  });

  it('have 8 to 1024 characters', async () => {
    expect(await passwordProblem('uncommo')).toContain('at least 8');
    expect(await passwordProblem('x'.repeat(1025))).toContain('at most 1024');
    expect(await passwordProblem('uncommon-8')).toBeUndefined();
  });
});

describe('the most common passwords', () => {
  it.each(['password', '12345678', 'Password1', 'iloveyou123', 'aaaaaaaaaa', 'ADA@example.com', 'qwertyuiop!'])(
    'rejects %s',
    async (password) => {
      expect(await passwordProblem(password, 'ada@example.com')).toContain('most common passwords');
    },
  );

  it.each(['correct-horse-battery', 'an-uncommon-password', 'staple-battery-horse', 'ünïcödé-ist-gut'])(
    'takes %s',
    async (password) => {
      expect(await passwordProblem(password, 'ada@example.com')).toBeUndefined();
    },
  );
});

import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readPassword } from './read-password.ts';

function streams(isTTY: boolean) {
  const input = Object.assign(new PassThrough(), { isTTY });
  const output = new PassThrough();
  return { input, output, printed: () => String(output.read() ?? '') };
}

describe('reading a password', () => {
  it('takes one line from a pipe and prints nothing', async () => {
    const { input, output, printed } = streams(false);
    input.end('correct horse\nsecond line\n');
    expect(await readPassword('Password: ', { input, output })).toBe('correct horse');
    expect(printed()).toBe('');
  });

  it('asks on a terminal and does not echo', async () => {
    const { input, output, printed } = streams(true);
    const reading = readPassword('Password: ', { input, output });
    input.write('correct horse\r');
    expect(await reading).toBe('correct horse');
    expect(printed()).toBe('Password: \n');
  });

  it('is empty when nothing comes', async () => {
    const { input, output } = streams(false);
    input.end();
    expect(await readPassword('Password: ', { input, output })).toBe('');
  });
});

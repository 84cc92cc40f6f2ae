import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

/** Where passwords come from. `isTTY` distinguishes a terminal from a pipe. */
export interface PasswordStreams {
  input: Readable & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** One line: prompted for without echo on a terminal, read silently from a pipe. Empty if the input ends first. */
export async function readPassword(prompt: string, { input, output }: PasswordStreams): Promise<string> {
  const terminal = input.isTTY === true;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  if (terminal) output.write(prompt);
  const lines = createInterface({ input, output: nowhere, terminal });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
  } finally {
    lines.close();
    if (terminal) output.write('\n');
  }
}

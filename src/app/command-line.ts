import { Command, CommanderError } from 'commander';
import { programVersion } from './version.ts';

/** Runs one command of the program; answers the exit code: 0 fine, 1 failed, 2 wrong use or setting. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const program = new Command('signalbox').version(programVersion).exitOverride();
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

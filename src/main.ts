import { runCommandLine } from './app/command-line.ts';

const { env: environment, stdin, stdout, stderr } = process;
const exitCode = await runCommandLine(process.argv.slice(2), { environment, stdin, stdout, stderr });
process.exit(exitCode);

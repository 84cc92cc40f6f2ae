import { runCommandLine } from './app/command-line.ts';

const { env: environment, stdin, stdout, stderr } = process;
// The reader of the output may exit at any time (`signalbox … | head`); without a listener that would end the process.
for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
const exitCode = await runCommandLine(process.argv.slice(2), { environment, stdin, stdout, stderr });
process.exit(exitCode);

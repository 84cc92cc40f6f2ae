import type { Command } from 'commander';
import { type Finding, formatFindings } from '../doctor/finding.ts';
import { print } from './command-deps.ts';

export interface DoctorCommandDeps {
  examine(): Promise<Finding[]>;
  /** Standard output. */
  write(text: string): void;
  exitWith(code: number): void;
}

/** `signalbox doctor`: exit code 1 when something is broken. */
export function registerDoctorCommand(program: Command, deps: DoctorCommandDeps): void {
  program
    .command('doctor')
    .description('check settings, data folder, stores, ports and secret key, also while the program is running')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  signalbox doctor || echo "something is broken"')
    .action(async (options: { json?: boolean }) => {
      const findings = await deps.examine();
      print(deps, options, { json: findings, text: formatFindings(findings) });
      deps.exitWith(findings.some(({ level }) => level === 'error') ? 1 : 0);
    });
}

import { type Command, Option } from 'commander';
import { BackupError } from '../../backup/backup-error.ts';
import type { BackupManifest } from '../../backup/manifest.ts';
import { TelemetryError } from '../../telemetry/ports.ts';
import type { BackupPartName } from '../backup/back-up.ts';
import type { RestoreOptions, RestoreResult } from '../backup/restore.ts';
import { print } from './command-deps.ts';
import { CommandError } from './command-error.ts';

export interface BackupDeps {
  backUp(folder: string, only: BackupPartName | undefined): Promise<BackupManifest>;
  restore(folder: string, options: RestoreOptions): Promise<RestoreResult>;
  /** Standard output. */
  write(text: string): void;
}

interface Options {
  only?: BackupPartName;
  json?: boolean;
  replace?: boolean;
  add?: boolean;
}

/** `signalbox backup|restore` */
export function registerBackupCommands(program: Command, deps: BackupDeps): void {
  program
    .command('backup')
    .description('write a backup of metadata and telemetry into a new folder, also while the program is running')
    .argument('<folder>', 'a folder that does not exist or is empty')
    .addOption(onlyOption('back up'))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  signalbox backup /backups/2026-01-31')
    .action((folder: string, options: Options) => runBackup(deps, folder, options));
  program
    .command('restore')
    .description('restore a backup into the stores that the settings name; stop the program first')
    .argument('<folder>', 'the folder of a backup')
    .addOption(onlyOption('restore'))
    .option('--replace', 'move what is in the data folder aside, into a subfolder named replaced-…')
    .option('--add', 'add telemetry to a ClickHouse server whose tables have rows already')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  SIGNALBOX_DATA_DIR=/var/lib/signalbox signalbox restore /backups/2026-01-31')
    .action((folder: string, options: Options) => runRestore(deps, folder, options));
}

function onlyOption(verb: string): Option {
  return new Option('--only <part>', `${verb} one part only`).choices(['metadata', 'telemetry']);
}

async function runBackup(deps: BackupDeps, folder: string, options: Options): Promise<void> {
  const manifest = await inSentences('Nothing was kept.', () => deps.backUp(folder, options.only));
  const json = { folder, ...summaryOf(manifest) };
  const text = `The backup in ${folder} is complete: ${contentOf(manifest)}. It does not contain the secret key; keep that separately.\n`;
  print(deps, options, { json, text });
}

async function runRestore(deps: BackupDeps, folder: string, options: Options): Promise<void> {
  const { only, replace = false, add = false, json } = options;
  const result = await inSentences('Run the same command again.', () =>
    deps.restore(folder, { ...(only && { only }), replace, add }),
  );
  const { manifest, parts, aside, secretKey } = result;
  const answer = { folder, parts, ...summaryOf(manifest), ...(aside && { aside }), secretKey };
  print(deps, { ...(json && { json }) }, { json: answer, text: sentencesFor(result) });
}

function sentencesFor({ manifest, parts, aside, secretKey }: RestoreResult): string {
  const restored = Object.fromEntries(parts.map((part) => [part, manifest[part]]));
  const lines = [
    `Restored ${contentOf({ ...restored })}, as of ${manifest.startedAt}.`,
    ...(aside === undefined ? [] : [`What was there before is in ${aside}.`]),
    ...secretKey
      .filter(({ level }) => level !== 'ok')
      .map(({ message, advice }) => `Before you start the program: ${message} ${advice ?? ''}`),
  ];
  return `${lines.join('\n')}\n`;
}

async function inSentences<T>(next: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupError) throw new CommandError(error.message);
    if (!(error instanceof TelemetryError)) throw error;
    const code = error.engineCode === undefined ? '' : ` (its error code: ${error.engineCode})`;
    throw new CommandError(`The telemetry store could not do its part${code}. ${next}`);
  }
}

function summaryOf(manifest: BackupManifest) {
  const { id, program, startedAt } = manifest;
  return { id, program, startedAt, ...countsOf(manifest) };
}

function countsOf({ metadata, telemetry }: Pick<BackupManifest, 'metadata' | 'telemetry'>) {
  const parts = telemetry?.tables.flatMap((table) => table.parts);
  return {
    ...(metadata && { metadataRows: metadata.rows }),
    ...(parts && {
      telemetryRows: parts.reduce((sum, { rows }) => sum + rows, 0),
      telemetryBytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
    }),
  };
}

function contentOf(manifest: Pick<BackupManifest, 'metadata' | 'telemetry'>): string {
  const { metadataRows, telemetryRows, telemetryBytes } = countsOf(manifest);
  return [
    ...(metadataRows === undefined ? [] : [`${metadataRows} rows of metadata`]),
    ...(telemetryRows === undefined
      ? []
      : [`${telemetryRows} rows of telemetry (${megabytes(telemetryBytes ?? 0)} MB)`]),
  ].join(' and ');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

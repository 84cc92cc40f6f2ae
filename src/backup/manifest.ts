import { BackupError } from './backup-error.ts';

/** Grows when an older program could not read a backup any more. */
export const formatVersion = 1;
export const manifestFile = 'manifest.json';
export const metadataFile = 'metadata.jsonl';

/** What a backup holds. */
export interface BackupManifest {
  formatVersion: number;
  /** Random; restores into a server derive deduplication tokens from it. */
  id: string;
  /** Version of the program that made it. */
  program: string;
  /** ISO 8601, UTC: everything acknowledged before is in it. */
  startedAt: string;
  metadata?: { migrations: readonly string[]; rows: number };
  telemetry?: { tables: readonly BackupTable[] };
}

export interface BackupTable {
  database: string;
  name: string;
  /** The statement that made it. */
  create: string;
  /** Those that rows are inserted with; the others are computed. */
  columns: readonly string[];
  parts: readonly BackupPart[];
}

export interface BackupPart {
  name: string;
  rows: number;
  bytes: number;
}

/** Folder of a part inside a backup. */
export function partFolder({ database, name }: BackupTable, part: string): string {
  return `telemetry/${database}/${name}/${part}`;
}

/** @throws {BackupError} when it is not a manifest, or one of a later format */
export function parseManifest(text: string): BackupManifest {
  const manifest = parseObject(text);
  const version = manifest?.formatVersion;
  if (typeof version !== 'number') throw damaged();
  if (version > formatVersion) {
    throw new BackupError(
      `A newer version of Signalbox (${String(manifest?.program)}) made this backup; restore it with that version.`,
    );
  }
  if (!isManifest(manifest)) throw damaged();
  return manifest;
}

function damaged(): BackupError {
  return new BackupError(`The backup is damaged: ${manifestFile} is not readable.`);
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isManifest(value: unknown): value is BackupManifest {
  if (!isObject(value)) return false;
  const { id, program, startedAt, metadata, telemetry } = value;
  return areTexts([id, program, startedAt]) && isMetadata(metadata) && isTelemetry(telemetry);
}

function isMetadata(value: unknown): boolean {
  return value === undefined || (isObject(value) && areTexts(value.migrations) && typeof value.rows === 'number');
}

function isTelemetry(value: unknown): boolean {
  return value === undefined || (isObject(value) && Array.isArray(value.tables) && value.tables.every(isTable));
}

/** Names become paths and parts of statements. */
function isTable(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { database, name, create, columns, parts } = value;
  if (![database, name].every((text) => typeof text === 'string' && /^\w{1,128}$/.test(text))) return false;
  return typeof create === 'string' && areTexts(columns) && Array.isArray(parts) && parts.every(isPart);
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { name, rows, bytes } = value;
  return typeof name === 'string' && /^[\w-]{1,200}$/.test(name) && [rows, bytes].every((n) => typeof n === 'number');
}

function areTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((text) => typeof text === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

import { randomUUID } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The engine's current endpoint; a restart gives a new address and a new secret. */
export interface EngineEndpoint {
  url: string;
  user: string;
  secret: string;
}

const fileName = 'signalbox-endpoint.json';

/**
 * Where the engine that holds this folder listens, for commands of the same user beside a running program: only one
 * process may open the folder. Mode 600, since it contains the secret of this start.
 */
export function publishEndpoint(dataDir: string, endpoint: EngineEndpoint): void {
  const file = join(dataDir, fileName);
  const draft = `${file}.${randomUUID()}`;
  try {
    writeFileSync(draft, JSON.stringify(endpoint), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // On a full or read-only disk the engine can still be read, only not by commands.
    withdrawEndpoint(dataDir);
  }
}

/** As it was written last; the engine may be gone since. */
export function readEndpoint(dataDir: string): EngineEndpoint | undefined {
  try {
    const endpoint: unknown = JSON.parse(readFileSync(join(dataDir, fileName), 'utf8'));
    return isEndpoint(endpoint) ? endpoint : undefined;
  } catch {
    // There is none, or a start was interrupted.
    return undefined;
  }
}

/** A file that stays on a read-only disk leads to an engine that does not answer any more. */
export function withdrawEndpoint(dataDir: string): void {
  try {
    rmSync(join(dataDir, fileName), { force: true });
  } catch {
    // The disk is read-only.
  }
}

function isEndpoint(value: unknown): value is EngineEndpoint {
  if (typeof value !== 'object' || value === null) return false;
  const { url, user, secret }: { url?: unknown; user?: unknown; secret?: unknown } = value;
  return [url, user, secret].every((text) => typeof text === 'string');
}

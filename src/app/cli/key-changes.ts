import type { Command } from 'commander';
import type { IdentityStore } from '../../access/identity-repository.ts';
import { KeyService, type NewKey } from '../../access/key-service.ts';
import { type KeySummary, summarizeKey } from '../../access/key-summary.ts';
import { formatDuration, parseDuration } from '../../kernel/duration.ts';
import { type CommandDeps, print, withStore } from './command-deps.ts';
import { CommandError } from './command-error.ts';
import { formatMoment } from './format-table.ts';

interface RotateOptions {
  overlap: string;
  json?: boolean;
}

/** Adds `rotate` and `revoke`, which are the same for keys of every kind. */
export function registerRotateAndRevoke(keys: Command, deps: CommandDeps): void {
  keys
    .command('rotate')
    .description('replace a key with a new one and print it once')
    .argument('<id>', 'id, or key id of a cloud API key')
    .option('--overlap <duration>', 'how long the old key stays valid, for example 24h', '0')
    .option('--json', 'print JSON')
    .action((id: string, options: RotateOptions) => rotateKey(deps, id, options));
  keys
    .command('revoke')
    .description('revoke a key immediately and permanently')
    .argument('<id>', 'id, or key id of a cloud API key')
    .action((id: string) => revokeKey(deps, id));
}

/** Prints a new key: the only time that its secret is seen. */
export function printNewKey(deps: CommandDeps, options: { json?: boolean }, { key, secret }: NewKey): void {
  const summary = summarizeKey(key, deps.clock.nowMs());
  const cloud = key.cloudKeyId !== undefined;
  const json = cloud ? { ...summary, keySecret: secret } : { ...summary, key: secret };
  const shown = cloud ? `Key id     ${key.cloudKeyId}\nKey secret ${secret}` : secret;
  const text = `Created ${key.kind} key ${key.name} (${key.id}). It will not be shown again:\n${shown}\n`;
  print(deps, options, { json, text });
}

/** `--expires` as a moment. @throws {CommandError} */
export function expiryOf(deps: CommandDeps, { expires }: { expires?: string }): { expiresAtMs?: number } {
  return expires === undefined ? {} : { expiresAtMs: deps.clock.nowMs() + duration('--expires', expires) };
}

/** The last two cells of a row: expiry and last use. */
export function keyMoments({ expiresAt, lastUsedAt }: KeySummary): string[] {
  return [expiresAt, lastUsedAt].map((moment) => formatMoment(moment === null ? undefined : Date.parse(moment)));
}

function rotateKey(deps: CommandDeps, id: string, options: RotateOptions): Promise<void> {
  const overlapMs = options.overlap === '0' ? 0 : duration('--overlap', options.overlap);
  return withStore(deps, async ({ identities }) => {
    const keyId = await internalId(identities, id);
    printNewKey(deps, options, await new KeyService(identities, deps).rotate(keyId, overlapMs));
    if (!options.json) {
      deps.write(`The old key ${overlapMs === 0 ? 'is revoked' : `ends in ${formatDuration(overlapMs)}`}.\n`);
    }
  });
}

function revokeKey(deps: CommandDeps, id: string): Promise<void> {
  return withStore(deps, async ({ identities }) => {
    await new KeyService(identities, deps).revoke(await internalId(identities, id));
    deps.write(`Revoked key ${id}.\n`);
  });
}

/** People know a cloud key by its public half. */
async function internalId(identities: IdentityStore, id: string): Promise<string> {
  return (await identities.findCloudKey(id))?.id ?? id;
}

function duration(option: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new CommandError(`${option} must be a duration like 90s, 30m, 24h or 90d.`);
  return ms;
}

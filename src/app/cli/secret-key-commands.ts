import type { Command } from 'commander';
import type { RotationResult } from '../rotate-secret-key.ts';

export interface SecretKeyDeps {
  /** Makes the key that is set or kept the store's own. */
  takeSecretKey(): Promise<void>;
  rotateSecretKey(): Promise<RotationResult>;
  /** Standard output. */
  write(text: string): void;
}

/** `signalbox secret-key rotate|accept` */
export function registerSecretKeyCommands(program: Command, deps: SecretKeyDeps): void {
  const key = program.command('secret-key').description('manage the key that encrypts stored secrets');
  key
    .command('rotate')
    .description('encrypt all stored secrets again with a new key')
    .addHelpText(
      'after',
      '\nExample:\n  SIGNALBOX_PREVIOUS_SECRET_KEY="$OLD" SIGNALBOX_SECRET_KEY="$NEW" signalbox secret-key rotate\n\nWithout these variables, the key in the data folder is replaced by a new one; stop the program first.',
    )
    .action(async () => deps.write(sentencesFor(await deps.rotateSecretKey())));
  key
    .command('accept')
    .description('accept a new key: secrets encrypted with the previous key are lost and must be entered again')
    .addHelpText('after', '\nExample:\n  SIGNALBOX_SECRET_KEY="$NEW" signalbox secret-key accept')
    .action(async () => {
      await deps.takeSecretKey();
      deps.write('This secret key is now in use. Secrets encrypted with another key must be entered again.\n');
    });
}

function sentencesFor({ resealed, lost, key }: RotationResult): string {
  const lines = [
    `The stored secrets are encrypted with the new key (${resealed}).`,
    ...(lost.length === 0 ? [] : [`Those that neither key opens must be entered again (${lost.length}).`]),
    key === 'set'
      ? 'SIGNALBOX_PREVIOUS_SECRET_KEY can be removed from every process.'
      : 'The new key is in the file secret-key of the data folder, the previous one in secret-key.previous.',
    'Backups made until now need the previous key.',
  ];
  return `${lines.join('\n')}\n`;
}

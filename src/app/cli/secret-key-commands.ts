import type { Command } from 'commander';

export interface SecretKeyDeps {
  /** Makes the key that is set or kept the store's own. */
  takeSecretKey(): Promise<void>;
  /** Standard output. */
  write(text: string): void;
}

/** `signalbox secret-key accept` */
export function registerSecretKeyCommands(program: Command, { takeSecretKey, write }: SecretKeyDeps): void {
  program
    .command('secret-key')
    .description('manage the key that encrypts stored secrets')
    .command('accept')
    .description('accept a new key: secrets encrypted with the previous key are lost and must be entered again')
    .action(async () => {
      await takeSecretKey();
      write('This secret key is now in use. Secrets encrypted with another key must be entered again.\n');
    });
}

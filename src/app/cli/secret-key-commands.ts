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
    .description('the key that seals stored secrets')
    .command('accept')
    .description('go on with another key than the secrets were sealed with: they are lost and have to be entered again')
    .action(async () => {
      await takeSecretKey();
      write('This secret key is taken from now on. Secrets that another key sealed have to be entered again.\n');
    });
}

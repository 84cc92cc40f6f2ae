/** A backup that cannot be made or used, in one sentence for the person at the terminal. */
export class BackupError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'BackupError';
  }
}

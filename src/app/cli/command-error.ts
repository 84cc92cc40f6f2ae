/** A command that cannot be carried out: one sentence for the person at the terminal, exit code 1. */
export class CommandError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'CommandError';
  }
}

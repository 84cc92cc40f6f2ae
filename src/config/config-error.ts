/** A setting that stops the start: one sentence that names the variable and what would be right (exit code 2). */
export class ConfigError extends Error {
  constructor(sentence: string) {
    super(sentence);
    this.name = 'ConfigError';
  }
}

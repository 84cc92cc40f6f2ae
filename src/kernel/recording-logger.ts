import type { LogFields, Logger, LogLevel } from './logger.ts';

export interface LogLine {
  level: LogLevel;
  message: string;
  fields: LogFields;
}

/** Remembers every line, for tests that assert on what was logged (or must not be). */
export class RecordingLogger implements Logger {
  readonly lines: LogLine[];
  readonly #context: LogFields;

  constructor(lines: LogLine[] = [], context: LogFields = {}) {
    this.lines = lines;
    this.#context = context;
  }

  debug(fields: LogFields, message: string): void {
    this.#record('debug', fields, message);
  }
  info(fields: LogFields, message: string): void {
    this.#record('info', fields, message);
  }
  warn(fields: LogFields, message: string): void {
    this.#record('warn', fields, message);
  }
  error(fields: LogFields, message: string): void {
    this.#record('error', fields, message);
  }

  child(fields: LogFields): Logger {
    return new RecordingLogger(this.lines, { ...this.#context, ...fields });
  }

  #record(level: LogLevel, fields: LogFields, message: string): void {
    this.lines.push({ level, message, fields: { ...this.#context, ...fields } });
  }
}

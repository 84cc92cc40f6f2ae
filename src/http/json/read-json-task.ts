import { AppError } from '../../contract/errors.ts';
import type { Task } from '../../kernel/workers.ts';
import { readJson } from './read-json.ts';

/** What a thread found: of what it throws, only the message would arrive. */
export type JsonOutcome = { kind: 'value'; value: unknown } | { kind: 'invalid'; message: string };

export const readJsonTask: Task<Uint8Array, JsonOutcome> = {
  name: 'read JSON',
  run: (bytes) => {
    try {
      return { kind: 'value', value: readJson(bytes) };
    } catch (error) {
      if (error instanceof AppError) return { kind: 'invalid', message: error.publicText };
      throw error;
    }
  },
};

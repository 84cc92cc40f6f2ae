import { AppError } from '../../contract/errors.ts';
import { type JsonLimits, scanJson } from './json-scan.ts';

/** Of every body on every port: far more than the largest dashboard has, and read in some tens of milliseconds. */
export const jsonLimits: JsonLimits = { depthMax: 100, valuesMax: 250_000 };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The one reader of JSON that comes over HTTP. What it answers can be written as JSON again without a loss: no number
 * is infinite or rounded to another integer, no text holds what is not text.
 * @throws {AppError} `json_invalid`, which names the place, never a piece of the text
 */
export function readJson(bytes: Uint8Array): unknown {
  const text = decode(bytes);
  const problem = scanJson(text, jsonLimits);
  if (problem) {
    const { path, message, position } = problem;
    const place = path === '' ? 'The request body' : `${path}:`;
    throw new AppError('json_invalid', { public: `${place} ${message} (position ${position}).` });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(error);
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new AppError('json_invalid', { public: 'The request body is not valid UTF-8.' });
  }
}

/** Where the text stops being JSON, as far as the engine says so. */
function notJson(error: unknown): AppError {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  const where = position === undefined ? '' : ` (position ${position})`;
  return new AppError('json_invalid', { public: `The request body is not valid JSON${where}.` });
}

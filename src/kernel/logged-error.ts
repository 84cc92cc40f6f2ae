/** An error whose message is made of words of ours alone, so that a log may hold it. */
export interface InOwnWords {
  readonly inOwnWords: true;
}

/** What a log and the program's own telemetry may hold of an error. */
export interface LoggedError {
  type: string;
  /** Such as `ECONNRESET`, a SQLSTATE, an error number of the database. */
  code?: string;
  message?: string;
  /** Where it was thrown, innermost first. */
  at?: string[];
  cause?: LoggedError;
}

const framesMax = 12;
const causesMax = 4;
const codePattern = /^[A-Za-z0-9_.-]{1,64}$/;

/**
 * What another system said (a database, a receiver, a resolver, a certificate, a template) may hold secrets of one
 * tenant, and quotes of it end up in messages of libraries. So only the kind of an error, its code and its place are
 * logged; its message only where it is ours, or the language's own about a mistake in this program.
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { cause } = error;
  const code = codeOf(error);
  const message = ownMessageOf(error);
  const at = framesOf(error);
  return {
    type: codePattern.test(error.name) ? error.name : 'Error',
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(at.length > 0 && { at }),
    ...(cause instanceof Error && depth < causesMax && { cause: loggedError(cause, depth + 1) }),
  };
}

/** Fields of a log line with every error in them as above. */
export function loggedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  if (!Object.values(fields).some((value) => value instanceof Error)) return fields;
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, value instanceof Error ? loggedError(value) : value]),
  );
}

function codeOf(error: Error): string | undefined {
  const { engineCode, code, kind }: Error & { engineCode?: unknown; code?: unknown; kind?: unknown } = error;
  const text = String(engineCode ?? code ?? kind ?? '');
  return codePattern.test(text) ? text : undefined;
}

function ownMessageOf(error: Error): string | undefined {
  if ('inOwnWords' in error && error.inOwnWords === true) return error.message;
  const isOfTheLanguage = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
  // With a code it is Node's or a library's, which quote the value that they complain about.
  return isOfTheLanguage && !('code' in error) && error.cause === undefined ? error.message : undefined;
}

/** The stack without its head, which repeats the message, however many lines that has. */
function framesOf({ stack = '' }: Error): string[] {
  const lines = stack.split('\n').filter((line) => framePattern.test(line));
  return lines.slice(0, framesMax).map((line) => line.trim().slice('at '.length));
}

/** A frame as the engine writes it; a line of a message that only looks like one has no place in our files. */
const framePattern = /^ {4}at (?:[\w$.<>#[\] ]+ \()?(?:file:\/\/|node:|\/|<anonymous>)[^\s]*:\d+:\d+\)?$/;

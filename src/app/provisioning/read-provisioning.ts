import { readFile } from 'node:fs/promises';
import { ConfigError } from '../../config/config-error.ts';
import type { Problem } from '../../contract/problem.ts';
import { bodyCheck } from '../../http/schema-check.ts';
import { checkUnique } from './check-unique.ts';
import { type ProvisioningDocument, parseProvisioning } from './provisioning-document.ts';
import { ProvisioningError, ProvisioningProblem, problemAtPath } from './provisioning-problem.ts';
import { type Provisioning, ProvisioningSchema } from './provisioning-schema.ts';
import { type EnvLookup, resolveEnv } from './resolve-env.ts';

/** A file that is right in itself; what it says about the store is validated when it is applied. */
export interface ReadProvisioning {
  provisioning: Provisioning;
  document: ProvisioningDocument;
}

const fileCharsMax = 16_000_000;
const check = bodyCheck(ProvisioningSchema);

/** Reads the file that `SIGNALBOX_PROVISIONING` names. @throws {ConfigError | ProvisioningError} */
export async function readProvisioningFile(file: string, lookup: EnvLookup): Promise<ReadProvisioning> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`SIGNALBOX_PROVISIONING must name a readable file; ${file} can't be read.`);
  });
  return readProvisioning(file, text, lookup);
}

/** @throws {ProvisioningError} naming line and path */
export function readProvisioning(fileName: string, text: string, lookup: EnvLookup): ReadProvisioning {
  if (text.length > fileCharsMax) {
    throw new ProvisioningError(`The provisioning file ${fileName} must have at most ${fileCharsMax} characters.`);
  }
  const document = parseProvisioning(fileName, text);
  return located(document, () => {
    const value = resolveEnv(document.value, lookup);
    const [problem] = check(value);
    if (problem) throw problemAtPath(withReadableMessage(problem));
    // `check` found it to be one.
    const provisioning = value as Provisioning;
    checkUnique(provisioning);
    return { provisioning, document };
  });
}

function located<T>(document: ProvisioningDocument, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw locatedError(document, error);
  }
}

/** A problem as a sentence with file, line and path; any other error as it is. */
export function locatedError(document: ProvisioningDocument, error: unknown): unknown {
  if (!(error instanceof ProvisioningProblem)) return error;
  const { path, reason } = error;
  const place = `line ${document.lineOf(path)}, ${path.length === 0 ? 'at the top' : path.join('.')}`;
  return new ProvisioningError(`The provisioning file ${document.fileName} is wrong in ${place}: ${reason}.`);
}

/** Patterns in words, and a hint for the commonest slip of YAML. */
function withReadableMessage({ path, message }: Problem): Problem {
  if (message.startsWith('must match')) return { path, message: formOf(path) };
  if (message === 'must be a string') return { path, message: 'must be text (put numbers in quotes)' };
  return { path, message };
}

/** What the patterns of the schema ask for. */
function formOf(path: string): string {
  const step = path.split('.').findLast((candidate) => !/^[0-9]+$/.test(candidate));
  if (step === 'email') return 'must be an email address';
  if (step === 'key') return 'must be visible ASCII characters without spaces';
  if (step === 'keyId') return 'must be visible ASCII characters without spaces and colons';
  if (step === 'expiresAt') return 'must be a date and time like 2027-01-31T12:00:00Z';
  if (step === 'name') return 'must not be blank';
  return 'must be a UUID';
}

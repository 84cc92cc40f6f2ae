import { readFile } from 'node:fs/promises';
import { type ProvisioningDocument, parseProvisioning } from './provisioning-document.ts';
import { type Path, ProvisioningError, ProvisioningProblem } from './provisioning-problem.ts';
import { locatedError } from './read-provisioning.ts';
import { type EnvLookup, resolveEnv } from './resolve-env.ts';

/** Pipes from a separate file, each with its path there; they are validated when they are applied. */
export interface ReadPipes {
  document: ProvisioningDocument;
  entries: { entry: unknown; path: Path }[];
}

const fileCharsMax = 16_000_000;

/** Reads one pipe, a list of pipes, or `pipes:` as in the provisioning file. @throws {ProvisioningError} */
export async function readPipesFile(file: string, lookup: EnvLookup): Promise<ReadPipes> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ProvisioningError(`The file ${file} can't be read.`);
  });
  if (text.length > fileCharsMax) {
    throw new ProvisioningError(`The file ${file} must have at most ${fileCharsMax} characters.`);
  }
  const document = parseProvisioning(file, text);
  try {
    const entries = entriesOf(resolveEnv(document.value, lookup));
    rejectSameId(entries);
    return { document, entries };
  } catch (error) {
    throw locatedError(document, error);
  }
}

function entriesOf(value: unknown): ReadPipes['entries'] {
  if (Array.isArray(value)) return value.map((entry, index) => ({ entry, path: [index] }));
  const list = typeof value === 'object' && value !== null && 'pipes' in value ? value.pipes : undefined;
  if (Array.isArray(list)) return list.map((entry, index) => ({ entry, path: ['pipes', index] }));
  return [{ entry: value, path: [] }];
}

function rejectSameId(entries: ReadPipes['entries']): void {
  const seen = new Set<string>();
  for (const { entry, path } of entries) {
    const id =
      typeof entry === 'object' && entry !== null && 'id' in entry ? String(entry.id).toLowerCase() : undefined;
    if (id === undefined) continue;
    if (seen.has(id)) throw new ProvisioningProblem([...path, 'id'], 'another pipe in the file has this id');
    seen.add(id);
  }
}

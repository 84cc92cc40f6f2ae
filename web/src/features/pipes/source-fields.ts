import { type DraftField, groupsOfKind } from '../sources/source-draft.ts';

export type PipeSourceKind = 'log' | 'trace';

/** Fields of the source that say what its columns mean; where it reads is decided by the pipe. */
export function fieldsOfSource(kind: PipeSourceKind): readonly DraftField[] {
  return groupsOfKind[kind]
    .filter(({ title }) => title !== 'More')
    .flatMap(({ fields }) => fields)
    .filter(({ path, input = 'text' }) => !path.startsWith('from.') && input === 'text');
}

/** The body of the request: fields of the kind that have a value. */
export function bodyOfSource(
  kind: PipeSourceKind,
  texts: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const paths = ['name', ...fieldsOfSource(kind).map(({ path }) => path)];
  const given = paths.flatMap((path) => {
    const text = texts[path]?.trim() ?? '';
    return text === '' ? [] : [[path, text] as const];
  });
  return { kind, ...Object.fromEntries(given) };
}

/** Whether every field without which there is no source of this kind has a value. */
export function isCompleteSource(kind: PipeSourceKind, texts: Readonly<Record<string, string | undefined>>): boolean {
  const needed = fieldsOfSource(kind).filter(({ required }) => required);
  return ['name', ...needed.map(({ path }) => path)].every((path) => (texts[path]?.trim() ?? '') !== '');
}

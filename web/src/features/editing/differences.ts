export type Side = 'mine' | 'theirs';

/** One place in which two edits of the same thing differ. */
export interface Difference {
  /** Unlike that of any other place. */
  key: string;
  label: string;
  mine: string;
  theirs: string;
  /** Both changed it: the user has to choose. Otherwise the side that changed it wins. */
  conflict: boolean;
  suggested: Side;
}

/** Three states of one place: as both found it, and what each made of it. */
export interface Sides {
  base: unknown;
  mine: unknown;
  theirs: unknown;
}

/** Whether two values say the same, whatever order their keys have. */
export function same(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** JSON with sorted keys: a server may return them in a different order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** `wordsOf` says in words what became of a value, where there is more to say than the value itself. */
export function differenceOf(
  key: string,
  label: string,
  { base, mine, theirs }: Sides,
  wordsOf: (base: unknown, now: unknown) => string | undefined = () => undefined,
): Difference {
  const changedByMe = !same(base, mine);
  const describe = (now: unknown) => describeChange(base, now, wordsOf);
  return {
    ...{ key, label, mine: describe(mine), theirs: describe(theirs) },
    conflict: changedByMe && !same(base, theirs),
    suggested: changedByMe ? 'mine' : 'theirs',
  };
}

function describeChange(
  base: unknown,
  now: unknown,
  wordsOf: (base: unknown, now: unknown) => string | undefined,
): string {
  if (now === undefined) return base === undefined ? 'absent' : 'removed';
  if (base !== undefined && same(base, now)) return 'unchanged';
  const words = wordsOf(base, now);
  if (words !== undefined) return words;
  return `changed to ${typeof now === 'string' ? `“${now}”` : JSON.stringify(now)}`;
}

/** What two edits of a plain record changed, field by field. `labels` names the fields that have another name on the page. */
export function fieldDifferences<T extends object>(
  base: T,
  mine: T,
  theirs: T,
  labels: Readonly<Record<string, string>>,
): Difference[] {
  const [before, own, other] = [base, mine, theirs].map((each) => new Map(Object.entries(each)));
  return [...new Set([...(own?.keys() ?? []), ...(other?.keys() ?? [])])]
    .map((key) => ({ key, base: before?.get(key), mine: own?.get(key), theirs: other?.get(key) }))
    .filter((field) => !same(field.mine, field.theirs))
    .map(({ key, ...sides }) => differenceOf(key, labels[key] ?? key, sides));
}

/** The record with the chosen side in each field; fields that are not chosen follow the suggestion. */
export function mergeFields<T extends object>(
  mine: T,
  theirs: T,
  differences: readonly Difference[],
  choices: ReadonlyMap<string, Side>,
): T {
  const merged = new Map(Object.entries(theirs));
  const own = new Map(Object.entries(mine));
  for (const { key, suggested } of differences) {
    if ((choices.get(key) ?? suggested) === 'theirs') continue;
    if (own.has(key)) merged.set(key, own.get(key));
    else merged.delete(key);
  }
  return Object.fromEntries(merged) as T;
}

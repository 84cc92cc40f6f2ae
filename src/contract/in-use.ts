/** Something that points to what is to be removed. */
export interface InUseBy {
  /** As texts call it: "dashboard", "saved search". */
  kind: string;
  id: string;
  name?: string | undefined;
}

const namedMax = 5;

/** `dashboard "Shop" (65…0a), saved search "Errors" (65…0b) and 3 more`; at most five are named. */
export function inUseText(users: readonly InUseBy[]): string {
  const texts = users
    .slice(0, namedMax)
    .map(({ kind, id, name }) => (name === undefined ? `${kind} ${id}` : `${kind} "${name}" (${id})`));
  if (users.length > namedMax) texts.push(`${users.length - namedMax} more`);
  const last = texts.pop() ?? '';
  return texts.length > 0 ? `${texts.join(', ')} and ${last}` : last;
}

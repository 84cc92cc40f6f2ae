/** The strong entity tag of a version (decisions D8). */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** True when there is no precondition, or one of its tags is the stored version's. Weak tags never match. */
export function meetsPrecondition(ifMatch: string | undefined, version: number): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim() === etagOf(version));
}

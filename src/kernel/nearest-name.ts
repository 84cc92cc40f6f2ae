/** The known name that is closest to a misspelt one, for "did you mean"; `undefined` when none is known. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return [...known].sort((left, right) => editDistance(name, left) - editDistance(name, right))[0];
}

/** Levenshtein distance: insertions, removals and replacements of one character. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}

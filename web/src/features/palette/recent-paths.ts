/** As many as fit a glance. */
const keptMax = 12;

/** Paths of what this person has opened in this browser, the last first; `place` where several have such paths. */
export function recentPaths(userId: string, place?: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(userId, place)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string').slice(0, keptMax) : [];
  } catch {
    return [];
  }
}

export function rememberPath(userId: string, path: string, place?: string): void {
  const paths = [path, ...recentPaths(userId, place).filter((known) => known !== path)];
  try {
    localStorage.setItem(storageKey(userId, place), JSON.stringify(paths.slice(0, keptMax)));
  } catch {
    // Without storage, nothing is remembered.
  }
}

function storageKey(userId: string, place: string | undefined): string {
  return ['signalbox-recent', userId, ...(place === undefined ? [] : [place])].join('-');
}

/** As many as fit a glance. */
const keptMax = 12;

/** Paths of what this person has opened in this browser, the last first. */
export function recentPaths(userId: string): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((path) => typeof path === 'string').slice(0, keptMax) : [];
  } catch {
    return [];
  }
}

export function rememberPath(userId: string, path: string): void {
  const paths = [path, ...recentPaths(userId).filter((known) => known !== path)];
  try {
    localStorage.setItem(storageKey(userId), JSON.stringify(paths.slice(0, keptMax)));
  } catch {
    // Without storage, nothing is remembered.
  }
}

function storageKey(userId: string): string {
  return `signalbox-recent-${userId}`;
}

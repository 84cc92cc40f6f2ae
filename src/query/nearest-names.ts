const shownMax = 3;
/** Longer names are compared by their beginning. */
const lengthMax = 64;

/** The names most like `wanted`, the nearest first; none where nothing comes close. */
export function nearestNames(wanted: string, names: Iterable<string>): string[] {
  const plain = plainOf(wanted);
  const allowed = Math.max(1, Math.floor(plain.length / 3));
  return [...new Set(names)]
    .flatMap((name) => {
      const distance = distanceOf(plain, plainOf(name), allowed);
      return distance <= allowed ? [{ name, distance }] : [];
    })
    .sort((a, b) => a.distance - b.distance || a.name.length - b.name.length || (a.name < b.name ? -1 : 1))
    .slice(0, shownMax)
    .map(({ name }) => name);
}

/** `; did you mean "a" or "b"?`, or nothing. */
export function didYouMean(wanted: string, names: Iterable<string>): string {
  const quoted = nearestNames(wanted, names).map((name) => `"${name}"`);
  if (quoted.length === 0) return '';
  const last = quoted.pop() ?? '';
  return `; did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?`;
}

function plainOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .slice(0, lengthMax);
}

/** A name that begins with the other is near it, though it may be much longer. Above `most` any number will do. */
function distanceOf(a: string, b: string, most: number): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length > 2 && long.startsWith(short)) return Math.min(1, long.length - short.length);
  return long.length - short.length > most ? Number.POSITIVE_INFINITY : editDistance(a, b);
}

/** How many letters have to be changed, put in or left out. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

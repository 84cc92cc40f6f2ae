const marker = '… (shortened)';

/** At most `max` characters with the marker, never cutting a surrogate pair in two (U-46). */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, Math.max(0, max - marker.length));
  return cut.replace(/[\uD800-\uDBFF]$/, '') + marker;
}

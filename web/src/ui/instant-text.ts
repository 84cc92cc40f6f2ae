/** An instant in local time, as all pages write it: `2026-11-28 12:05`, with seconds where it has any. */
export function instantText(at: string | number): string {
  const date = new Date(at);
  const pair = (value: number) => String(value).padStart(2, '0');
  const day = `${date.getFullYear()}-${pair(date.getMonth() + 1)}-${pair(date.getDate())}`;
  const minute = `${day} ${pair(date.getHours())}:${pair(date.getMinutes())}`;
  return date.getSeconds() === 0 ? minute : `${minute}:${pair(date.getSeconds())}`;
}

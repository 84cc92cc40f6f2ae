export const silenceChoices = [
  { label: '1 hour', hours: 1 },
  { label: '4 hours', hours: 4 },
  { label: '1 day', hours: 24 },
] as const;

export function hoursFromNow(hours: number, nowMs: number): string {
  return new Date(nowMs + hours * 3_600_000).toISOString();
}

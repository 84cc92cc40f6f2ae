const unitMs = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
type Unit = keyof typeof unitMs;

/** `<positive integer><s|m|h|d>` (decisions C3, A2) to milliseconds; `undefined` when the text is not one. */
export function parseDuration(text: string): number | undefined {
  const match = /^([1-9][0-9]{0,8})([smhd])$/.exec(text);
  if (!match) return undefined;
  // The pattern lets only units through.
  const ms = Number(match[1]) * unitMs[match[2] as Unit];
  return Number.isSafeInteger(ms) ? ms : undefined;
}

/** The shortest exact form of a duration in whole seconds: 3_600_000 → `1h`, 90_000 → `90s`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms >= unitMs[unit] && ms % unitMs[unit] === 0) return `${ms / unitMs[unit]}${unit}`;
  }
  return `${ms}ms`;
}

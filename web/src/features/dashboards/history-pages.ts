const unitsMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** More are not read beside a dashboard: what an alert did before is on its own page. */
const pagesMax = 5;

/** Pages of an alert's history, newest first, that reach back so far. `interval` as alerts have it: `5m`. */
export function historyPages(interval: string, ageMs: number, pageSize: number): number[] {
  const [, count, unit = ''] = /^(\d+)([mhd])$/.exec(interval) ?? [];
  const windowMs = Number(count) * (unitsMs[unit] ?? Number.NaN);
  const needed = Math.ceil(ageMs / windowMs / pageSize);
  const pages = Number.isFinite(needed) ? Math.min(Math.max(needed, 1), pagesMax) : 1;
  return Array.from({ length: pages }, (_, index) => index + 1);
}

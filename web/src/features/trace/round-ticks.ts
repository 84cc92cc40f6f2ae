const ticksMax = 5;

/** Instants to write above a trace, in nanoseconds from its start: a few round ones, of which the last leaves room. */
export function roundTicks(totalNs: number): number[] {
  if (totalNs <= 0) return [0];
  const least = totalNs / ticksMax;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= least) ?? 10) * power;
  return Array.from({ length: Math.floor((totalNs * 0.97) / step) + 1 }, (_, index) => index * step);
}

import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Name, what it counts in a sentence, and its labels. */
interface Described<Label extends string> {
  name: string;
  help: string;
  labels?: readonly Label[];
}

export function counterOf<Label extends string>(registry: Registry, described: Described<Label>): Counter<Label> {
  const { name, help, labels = [] } = described;
  return new Counter({ name, help, labelNames: [...labels], registers: [registry] });
}

export function gaugeOf<Label extends string>(registry: Registry, described: Described<Label>): Gauge<Label> {
  const { name, help, labels = [] } = described;
  return new Gauge({ name, help, labelNames: [...labels], registers: [registry] });
}

export function histogramOf<Label extends string>(
  registry: Registry,
  { buckets, ...described }: Described<Label> & { buckets: readonly number[] },
): Histogram<Label> {
  const { name, help, labels = [] } = described;
  return new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] });
}

/** A gauge that is read on collection; while `read` fails it keeps its last value. */
export function watchedGauge(
  registry: Registry,
  { name, help }: Described<never>,
  read: () => number | Promise<number>,
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await Promise.resolve(read()).catch(() => undefined);
      if (value !== undefined) this.set(value);
    },
  });
}

/** Counters that exist from the start, so that the first event of a kind is an increase. */
export function startAtZero<Label extends string>(
  counter: Counter<Label>,
  label: Label,
  values: readonly string[],
): Counter<Label> {
  // A computed key is typed as any string.
  for (const value of values) counter.inc({ [label]: value } as Partial<Record<Label, string>>, 0);
  return counter;
}

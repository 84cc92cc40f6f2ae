import { type Fact, type Field, numberOf, total } from './facts.ts';
import {
  aggregateNumbers,
  cellsOf,
  type Expression,
  isInside,
  type Measured,
  type SlowCell,
  type SlowSeries,
  type SlowSource,
  type Window,
} from './slow-cells.ts';

/** A log or a span; for sampled spans the weight is how many it represents. */
export interface EventFact extends Fact {
  weight: number;
}

/** Logs or spans, read one by one. */
export class SlowEvents implements SlowSource {
  readonly #events: readonly EventFact[];

  constructor(events: readonly EventFact[]) {
    this.#events = events;
  }

  read(series: SlowSeries, window: Window): SlowCell[] {
    const matching = this.#events.filter((each) => isInside(each, window) && (series.filter?.holds(each) ?? true));
    return cellsOf(matching, (each) => each, window).map(({ items, ...place }) => ({
      ...place,
      rows: items.length,
      value: aggregateEvents(series, items),
    }));
  }
}

function aggregateEvents(series: SlowSeries, events: readonly EventFact[]): number | null {
  const { aggregate, level, field, expression } = series;
  if (expression) return expressed(expression, events);
  if (aggregate === 'count') return total(events.map(({ weight }) => weight));
  if (!field) throw new Error(`${aggregate} needs a field`);
  if (aggregate === 'count_distinct') return distinct(events.map((each) => field.read(each)));
  return aggregateNumbers(
    aggregate,
    events.flatMap((each) => measure(each, field)),
    level,
  );
}

/** Null of what is missing or no finite number: such a part makes the whole one. */
function expressed({ of }: Expression, events: readonly EventFact[]): number | null {
  const value = of((aggregate, field, holds = () => true, level = 0.5) => {
    const own = events.filter(holds);
    return aggregateEvents({ aggregate, level, ...(field && { field }) }, own) ?? Number.NaN;
  });
  return Number.isFinite(value) ? value : null;
}

function distinct(values: readonly (string | number)[]): number {
  return new Set(values.filter((value) => value !== '')).size;
}

function measure(event: EventFact, field: Field): Measured[] {
  const value = numberOf(field.read(event));
  return value === undefined ? [] : [{ value, atMs: event.atMs, weight: event.weight }];
}

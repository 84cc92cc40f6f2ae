import { type MouseEvent, useMemo, useState } from 'react';
import type { NumberFormat } from '../../../src/contract/number-format.ts';
import { PartButton, placeBelow } from '../ui/PartButton.tsx';
import { noSummary, type SeriesSummary } from './align-series.ts';
import type { ChartSeries } from './chart-series.ts';
import { commonDecimals, formatValue } from './format-value.ts';
import { LegendLine, SeriesButton } from './LegendLine.tsx';
import classes from './TimeChart.module.css';
import type { ChosenSeries } from './TimeChart.tsx';

type Column = 'name' | keyof SeriesSummary;
const columns: { id: Exclude<Column, 'name'>; label: string }[] = [
  { id: 'mean', label: 'mean' },
  { id: 'max', label: 'max' },
  { id: 'last', label: 'last' },
];

/** From so many series on, one is found by typing. */
const findFrom = 13;

/** Of the table; the others are found by typing. */
const rowsMax = 200;

export interface ChartLegendProps {
  series: readonly ChartSeries[];
  /** Their figures, in the same order. */
  summaries: readonly SeriesSummary[];
  hidden: ReadonlySet<string>;
  onHiddenChange: (hidden: ReadonlySet<string>) => void;
  /** What can be done with one series is asked for; absent if that is nothing. */
  onPart?: ((part: ChosenSeries) => void) | undefined;
}

/** Names in one line, or as a table. A click shows one series alone, with Ctrl or Shift it takes one away or back. */
export function ChartLegend({ hidden, onHiddenChange, ...rest }: ChartLegendProps) {
  const [isTable, setIsTable] = useState(false);
  const { series } = rest;
  const choose = (key: string, { ctrlKey, metaKey, shiftKey }: MouseEvent) =>
    onHiddenChange(
      ctrlKey || metaKey || shiftKey
        ? toggled(hidden, key)
        : onlyShown(
            series.map((each) => each.key),
            hidden,
            key,
          ),
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset holds inputs
    <div className={isTable ? classes.legend : classes.shortLegend} role="group" aria-label="Legend">
      {isTable ? (
        <LegendTable {...rest} hidden={hidden} onChoose={choose} onClose={() => setIsTable(false)} />
      ) : (
        <LegendLine series={series} hidden={hidden} onChoose={choose} onTable={() => setIsTable(true)} />
      )}
    </div>
  );
}

interface LegendTableProps extends Omit<ChartLegendProps, 'onHiddenChange'> {
  onChoose: (key: string, event: MouseEvent) => void;
  onClose: () => void;
}

/** Names with their figures, sortable. */
function LegendTable({ series, summaries, hidden, onPart, onChoose, onClose }: LegendTableProps) {
  const [sorting, setSorting] = useState<{ by: Column; down: boolean }>({ by: 'max', down: true });
  const rows = useMemo(
    () => series.map((each, index) => ({ each, ...(summaries[index] ?? noSummary) })),
    [series, summaries],
  );
  const [text, setText] = useState('');
  const found = rows.filter(({ each }) => each.name.toLowerCase().includes(text.trim().toLowerCase()));
  const digits = useMemo(() => digitsOf(rows), [rows]);
  const sorted = found.toSorted((a, b) => {
    const order =
      sorting.by === 'name'
        ? a.each.name.localeCompare(b.each.name)
        : (a[sorting.by] ?? Number.NEGATIVE_INFINITY) - (b[sorting.by] ?? Number.NEGATIVE_INFINITY);
    return sorting.down ? -order : order;
  });
  const head = (by: Column, label: string) => (
    <th scope="col" aria-sort={sorting.by === by ? (sorting.down ? 'descending' : 'ascending') : 'none'} key={by}>
      <button type="button" onClick={() => setSorting({ by, down: sorting.by === by ? !sorting.down : by !== 'name' })}>
        {label}
        {sorting.by === by ? (sorting.down ? ' ↓' : ' ↑') : ''}
      </button>
    </th>
  );
  return (
    <>
      {series.length >= findFrom ? (
        <input
          type="search"
          className={classes.find}
          aria-label="Find a series"
          placeholder={`Find one of ${series.length} series`}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      ) : null}
      <table>
        <thead>
          <tr>
            {head('name', 'series')}
            {columns.map(({ id, label }) => head(id, label))}
            <th className={classes.action}>
              <button type="button" aria-expanded onClick={onClose}>
                Close
              </button>
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted.slice(0, rowsMax).map(({ each, ...figures }) => (
            <tr key={each.key} className={hidden.has(each.key) ? classes.off : undefined}>
              <th scope="row">
                <SeriesButton
                  series={each}
                  isHidden={hidden.has(each.key)}
                  onClick={(event) => onChoose(each.key, event)}
                />
              </th>
              {columns.map(({ id }) => (
                <td key={id}>{formatValue(figures[id], each.numberFormat ?? digits[id])}</td>
              ))}
              <td className={classes.action}>
                {onPart ? (
                  <PartButton
                    name={each.name}
                    onClick={(from) =>
                      onPart({ index: series.indexOf(each), atMs: undefined, at: placeBelow(from), from })
                    }
                  />
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {sorted.length > rowsMax ? (
        <p className={classes.more}>
          {rowsMax} of {sorted.length} series. Find others by their names.
        </p>
      ) : null}
    </>
  );
}

type Figures = Record<keyof SeriesSummary, number | null>;

/** Per column, so that its figures are aligned. */
function digitsOf(rows: readonly Figures[]): Partial<Record<keyof SeriesSummary, NumberFormat>> {
  const formats = columns.map(({ id }) => {
    const mantissa = commonDecimals(rows.map((row) => row[id]));
    return [id, mantissa === undefined ? undefined : { output: 'number' as const, mantissa }];
  });
  return Object.fromEntries(formats);
}

function toggled(hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(hidden);
  if (!next.delete(key)) next.add(key);
  return next;
}

/** All others away; all back when they are away already. */
function onlyShown(keys: readonly string[], hidden: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const others = keys.filter((each) => each !== key);
  const isAlone = !hidden.has(key) && others.every((each) => hidden.has(each));
  return new Set(isAlone ? [] : others);
}

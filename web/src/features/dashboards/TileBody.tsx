import { Skeleton, Table, Text, useComputedColorScheme } from '@mantine/core';
import { useMemo } from 'react';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { formatValue } from '../../charts/format-value.ts';
import { colorsOf } from '../../charts/palette.ts';
import { TimeChart } from '../../charts/TimeChart.tsx';
import type { ResolvedRange } from '../time-range/time-range.ts';
import classes from './Dashboard.module.css';

export interface TileBodyProps {
  label: string;
  answer: TileAnswer | undefined;
  range: ResolvedRange;
  onZoom: (fromMs: number, toMs: number) => void;
}

/** Lines drawn in one chart; more can't be told apart. */
const seriesMax = 60;

export function TileBody({ label, answer, range, onZoom }: TileBodyProps) {
  if (!answer) return <Skeleton height="100%" />;
  if (answer.error) {
    return (
      <Text size="sm" c="var(--sb-firing)" role="alert">
        {answer.error.message}
      </Text>
    );
  }
  if (answer.content !== undefined) return <div className={classes.text}>{answer.content}</div>;
  if (answer.series) return <TimeTile label={label} answer={answer} range={range} onZoom={onZoom} />;
  if (answer.displayType === 'number') {
    return (
      <div className={classes.number}>
        {formatValue(Number(answer.rows?.[0]?.at(-1) ?? Number.NaN), answer.columns?.at(-1)?.numberFormat)}
      </div>
    );
  }
  return <RowsTile answer={answer} />;
}

function TimeTile({ label, answer, range, onZoom }: TileBodyProps & { answer: TileAnswer }) {
  const scheme = useComputedColorScheme();
  const series = useMemo(() => {
    const shown = (answer.series ?? []).slice(0, seriesMax);
    const names = shown.map(({ name, group }) => (group.length === 0 ? name : `${group.join(', ')} · ${name}`));
    const colors = colorsOf(names, scheme);
    return shown.map(({ points, numberFormat, previous }, index) => ({
      key: `${index}`,
      name: names[index] ?? '',
      color: colors[index] ?? '',
      points: points.map(([at, value]): [number, number | null] => [at ?? 0, value ?? null]),
      numberFormat,
      dashed: previous === true,
    }));
  }, [answer, scheme]);
  return (
    <TimeChart
      label={label}
      series={series}
      startMs={range.startMs}
      endMs={range.endMs}
      granularityMs={answer.granularityMs}
      kind={answer.displayType === 'stacked_bar' ? 'stacked_bar' : 'line'}
      syncKey="dashboard"
      onZoom={onZoom}
    />
  );
}

function RowsTile({ answer }: { answer: TileAnswer }) {
  const { columns = [], rows = [] } = answer;
  return (
    <Table fz="xs" stickyHeader>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name }) => (
            <Table.Th key={name}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity of their own
          <Table.Tr key={index}>
            {columns.map(({ name, numberFormat }, at) => {
              const cell = row[at] ?? null;
              return (
                <Table.Td key={name}>{typeof cell === 'string' ? cell : formatValue(cell, numberFormat)}</Table.Td>
              );
            })}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

import { Button, Group, Tabs, Text, useComputedColorScheme } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { LogSource } from '../../../../src/contract/source.ts';
import { formatSeconds } from '../../charts/format-value.ts';
import { colorsOf } from '../../charts/palette.ts';
import { ServiceLink } from '../services/ServiceLink.tsx';
import { SpanDetail } from './SpanDetail.tsx';
import {
  buildSpanTree,
  measureTrace,
  type SpanNode,
  type TraceNumbers,
  type TreePlace,
  visibleNodes,
} from './span-tree.ts';
import classes from './Trace.module.css';
import { TraceLogs } from './TraceLogs.tsx';
import type { TraceFound } from './trace-queries.ts';
import { Waterfall } from './Waterfall.tsx';

const aroundLogsMs = 60_000;

export interface TraceViewProps {
  traceId: string;
  found: TraceFound;
  logSource: LogSource | undefined;
  /** Span that the address names. */
  spanId: string | undefined;
  onSpan: (spanId: string) => void;
}

/** A trace: its numbers, its spans over time, and what the chosen span and the logs say. */
export function TraceView({ traceId, found, logSource, spanId, onSpan }: TraceViewProps) {
  const scheme = useComputedColorScheme();
  const roots = useMemo(() => buildSpanTree(found.spans), [found]);
  const numbers = useMemo(() => measureTrace(roots), [roots]);
  const all = useMemo(() => visibleNodes(roots, new Set()), [roots]);
  const [place, setPlace] = useState<TreePlace>(() => ({
    selected: (all.find(({ span }) => span.spanId === spanId) ?? all[0])?.key,
    collapsed: new Set(),
  }));
  const colors = useMemo(() => {
    const names = numbers.services.map(({ name }) => name);
    const values = colorsOf(names, scheme);
    return new Map(names.map((name, index) => [name, values[index] ?? '']));
  }, [numbers, scheme]);
  const colorOf = (service: string) => colors.get(service) ?? 'var(--sb-muted)';
  const selected = all.find(({ key }) => key === place.selected);
  const go = (next: TreePlace) => {
    setPlace(next);
    const target = all.find(({ key }) => key === next.selected);
    if (target && next.selected !== place.selected) onSpan(target.span.spanId);
  };
  const select = (node: SpanNode | undefined) => node && go({ ...place, selected: node.key });
  const parents = all.filter(({ children }) => children.length > 0).map(({ key }) => key);
  return (
    <>
      <Numbers numbers={numbers} onSlowest={() => select(numbers.slowest)} />
      <Group justify="space-between" gap={8} mb={10}>
        <ul className={classes.services} aria-label="Services">
          {numbers.services.map(({ name, selfNs }) => (
            <li key={name}>
              <span className={classes.swatch} style={{ background: colorOf(name) }} />
              <ServiceLink name={name} />{' '}
              <Text span size="xs" c="var(--sb-muted)">
                {formatSeconds(selfNs / 1e9)}
              </Text>
            </li>
          ))}
        </ul>
        <Button.Group>
          <Button variant="default" onClick={() => go({ ...place, collapsed: new Set(parents) })}>
            Collapse
          </Button>
          <Button variant="default" onClick={() => go({ ...place, collapsed: new Set() })}>
            Expand
          </Button>
        </Button.Group>
      </Group>
      {found.truncated ? (
        <Text size="xs" c="var(--sb-pending)" mb={8}>
          The trace has more spans than are shown: the first {found.spans.length.toLocaleString('en-US')}.
        </Text>
      ) : null}
      <div className={classes.body}>
        <Waterfall roots={roots} totalNs={numbers.totalNs} colorOf={colorOf} place={place} onPlace={go} />
        <aside className={classes.detail} aria-label="Details">
          <Tabs defaultValue="span" keepMounted={false}>
            <Tabs.List mb={10}>
              <Tabs.Tab value="span">Span</Tabs.Tab>
              <Tabs.Tab value="logs">Logs</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="span">{selected ? <SpanDetail key={selected.key} node={selected} /> : null}</Tabs.Panel>
            <Tabs.Panel value="logs">
              <TraceLogs
                traceId={traceId}
                source={logSource}
                range={rangeOf(all, numbers)}
                spanId={selected?.span.spanId}
                onSpan={(id) => select(all.find(({ span }) => span.spanId === id))}
              />
            </Tabs.Panel>
          </Tabs>
        </aside>
      </div>
    </>
  );
}

function rangeOf(all: readonly SpanNode[], { totalNs }: TraceNumbers) {
  const startMs = Math.min(...all.slice(0, 1).map(({ span }) => Date.parse(span.time) - span.startNs / 1e6));
  if (!Number.isFinite(startMs)) return undefined;
  return {
    startMs: Math.floor(startMs) - aroundLogsMs,
    endMs: Math.ceil(startMs + totalNs / 1e6) + aroundLogsMs,
  };
}

function Numbers({ numbers, onSlowest }: { numbers: TraceNumbers; onSlowest: () => void }) {
  const { totalNs, spans, errors, depth, services, slowest } = numbers;
  const figures: [string, string][] = [
    ['Total time', formatSeconds(totalNs / 1e9)],
    ['Spans', spans.toLocaleString('en-US')],
    ['Errors', errors.toLocaleString('en-US')],
    ['Services', String(services.length)],
    ['Depth', String(depth)],
  ];
  return (
    <dl className={classes.numbers}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd style={name === 'Errors' && errors > 0 ? { color: 'var(--sb-firing)' } : {}}>{value}</dd>
        </div>
      ))}
      {slowest ? (
        <div>
          <dt>Most time in</dt>
          <dd>
            <button type="button" className={classes.slowest} onClick={onSlowest}>
              {slowest.span.name} ({formatSeconds(slowest.selfNs / 1e9)})
            </button>
          </dd>
        </div>
      ) : null}
    </dl>
  );
}

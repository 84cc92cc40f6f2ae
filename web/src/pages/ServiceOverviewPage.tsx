import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { MetricSource, TraceSource } from '../../../src/contract/source.ts';
import { TileBody } from '../features/dashboards/TileBody.tsx';
import { clauseOf, fieldOf } from '../features/search/where-clause.ts';
import { FigureTable } from '../features/services/FigureTable.tsx';
import { EdgeTable } from '../features/services/ServiceMapView.tsx';
import { ServiceSourceSelect } from '../features/services/ServiceSourceSelect.tsx';
import classes from '../features/services/Services.module.css';
import { SpanFilter, useSpanFilter } from '../features/services/SpanFilter.tsx';
import { metricCharts, type NamedChart, spanCharts } from '../features/services/service-charts.ts';
import { printSorting, readSorting } from '../features/services/service-figures.ts';
import {
  type SpanRange,
  useCharts,
  useOperations,
  useServiceErrors,
  useServiceMap,
} from '../features/services/services-queries.ts';
import { useSpanSource } from '../features/services/use-span-source.ts';
import { TimeRangePicker } from '../features/time-range/TimeRangePicker.tsx';
import { useTimeRange } from '../features/time-range/use-time-range.ts';
import { metricsQuery, useSources } from '../features/where-editor/source-queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ErrorNotice } from '../ui/ErrorNotice.tsx';
import { instantText } from '../ui/instant-text.ts';
import { AnchorLink, ButtonLink, CrumbLink } from '../ui/links.tsx';
import { NoData } from '../ui/NoData.tsx';
import { Page } from '../ui/Page.tsx';
import { Panel } from '../ui/Panel.tsx';
import { useUrlState } from '../url-state.ts';

/** One service: its requests, operations, errors, dependencies, logs and metrics. */
export function ServiceOverviewPage() {
  const { service = '' } = useParams({ strict: false });
  const time = useTimeRange();
  const { source, isLoading, error } = useSpanSource();
  const filter = useSpanFilter();
  return (
    <Page
      title={service}
      crumbs={<CrumbLink to="/services">Services</CrumbLink>}
      actions={
        <>
          {source ? <LogsLink source={source} service={service} /> : null}
          <ServiceSourceSelect />
          <TimeRangePicker state={time} />
        </>
      }
    >
      {error ? <ErrorNotice error={error} /> : null}
      {isLoading ? <Skeleton height={320} /> : null}
      {source ? <Overview key={service} spans={{ source, range: time.resolved, filter }} service={service} /> : null}
    </Page>
  );
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

function LogsLink({ source, service }: { source: TraceSource; service: string }) {
  const logs = useSources().find(({ id, kind }) => id === source.logSourceId && kind === 'log');
  if (logs?.kind !== 'log' || !logs.serviceNameExpression) return null;
  const where = `${logs.serviceNameExpression}:${quoted(service)}`;
  return (
    <ButtonLink
      variant="default"
      to="/search"
      search={({ from, to }) => ({ from, to, source: logs.id, where, lang: 'lucene' })}
    >
      Logs
    </ButtonLink>
  );
}

interface PartProps {
  spans: SpanRange;
  service: string;
}

function Overview(props: PartProps) {
  const { error } = useOperations(props.spans, props.service);
  return (
    <>
      <SpanFilter source={props.spans.source} error={error} />
      <Figures {...props} />
    </>
  );
}

function Figures({ spans, service }: PartProps) {
  const [url, change] = useUrlState();
  const operations = useOperations(spans, service);
  if (operations.error) return <ErrorNotice error={operations.error} onRetry={operations.refetch} />;
  if (!operations.data) return <Skeleton height={320} />;
  const [first] = operations.data;
  if (!first) {
    return (
      <EmptyState
        title={`No spans of ${service} in this range`}
        hint="It may have sent some earlier or later, or to another source."
        action={<ButtonLink to="/services">All services</ButtonLink>}
      />
    );
  }
  return (
    <Stack gap={16}>
      <Charts keyText={service} spans={spans} charts={spanCharts(spans.source, service, first.basis)} />
      <Panel title="Operations" description={basisTexts[first.basis]}>
        <FigureTable
          label="Operations"
          nameLabel="Operation"
          rows={operations.data}
          sorting={readSorting(url.sort)}
          onSort={(sorting) => change({ sort: printSorting(sorting) })}
          renderName={({ name }) => <SpansLink spans={spans} service={service} operation={name} />}
        />
      </Panel>
      <Errors spans={spans} service={service} />
      <Dependencies spans={spans} service={service} />
      <Metrics spans={spans} service={service} />
    </Stack>
  );
}

const basisTexts = {
  entry: undefined,
  root: 'This service receives no requests; its spans without a parent are counted.',
  all: 'This service receives no requests and begins no traces; all its spans are counted.',
};

function SpansLink({ spans: { source, filter }, service, operation }: PartProps & { operation: string }) {
  const own = { field: fieldOf(source.serviceNameExpression ?? ''), value: service };
  const named = { field: fieldOf(source.spanNameExpression), value: operation };
  const { language } = filter;
  const clauses = [own, named].map((each) => clauseOf({ ...each, mode: 'include' }, language));
  const where = [...(filter.where ? [`(${filter.where})`] : []), ...clauses].join(language === 'sql' ? ' AND ' : ' ');
  return (
    <AnchorLink
      size="sm"
      to="/search"
      search={({ from, to }) => ({ from, to, source: source.id, where, lang: language })}
    >
      {operation || 'no name'}
    </AnchorLink>
  );
}

function Errors({ spans, service }: PartProps) {
  const { data, error } = useServiceErrors(spans, service);
  if (error) return <ErrorNotice error={error} />;
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Most frequent errors" description="Exceptions and errors of its spans, the most frequent first.">
      <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label="Errors" className={classes.figures ?? ''}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Type</Table.Th>
              <Table.Th>Last message</Table.Th>
              <Table.Th className={classes.number ?? ''}>Spans</Table.Th>
              <Table.Th className={classes.number ?? ''}>Traces</Table.Th>
              <Table.Th>Last</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.map(({ type, lastMessage, spans: count, traces, lastAt, lastTraceId }) => (
              <Table.Tr key={type}>
                <Table.Td className={classes.name ?? ''}>{type || 'no type'}</Table.Td>
                <Table.Td className={classes.message ?? ''} title={lastMessage}>
                  {lastMessage}
                </Table.Td>
                <Table.Td className={classes.number ?? ''}>{count.toLocaleString('en-US')}</Table.Td>
                <Table.Td className={classes.number ?? ''}>{traces.toLocaleString('en-US')}</Table.Td>
                <Table.Td>
                  <AnchorLink
                    size="sm"
                    to="/traces/$traceId"
                    params={{ traceId: lastTraceId }}
                    search={{ source: spans.source.id, at: String(Date.parse(lastAt)) }}
                  >
                    {instantText(Date.parse(lastAt))}
                  </AnchorLink>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Panel>
  );
}

function Dependencies({ spans, service }: PartProps) {
  const { data, error } = useServiceMap(spans);
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton height={120} />;
  const isThis = ({ kind, name }: { kind: string; name: string }) => kind === 'service' && name === service;
  const callers = data.map.edges.filter(({ to }) => isThis(to));
  const called = data.map.edges.filter(({ from }) => isThis(from));
  return (
    <>
      <Panel title="Called by">
        {callers.length > 0 ? (
          <EdgeTable label="Called by" edges={callers} />
        ) : (
          <Text size="sm" c="var(--sb-muted)">
            No other service in this range.
          </Text>
        )}
      </Panel>
      <Panel title="Calls">
        {called.length > 0 ? (
          <EdgeTable label="Calls" edges={called} />
        ) : (
          <Text size="sm" c="var(--sb-muted)">
            Nothing in this range.
          </Text>
        )}
      </Panel>
    </>
  );
}

function Metrics({ spans, service }: PartProps) {
  const metrics = useSources().find(
    (each): each is MetricSource => each.kind === 'metric' && each.id === spans.source.metricSourceId,
  );
  const known = useQuery(metricsQuery(metrics?.id ?? ''));
  const charts = metrics ? metricCharts(metrics, known.data ?? [], service) : [];
  return <Charts keyText={`metrics of ${service}`} spans={{ range: spans.range }} charts={charts} onlyWithData />;
}

interface ChartsProps {
  keyText: string;
  /** Without a filter for charts of something else than spans. */
  spans: Pick<SpanRange, 'range'> & Partial<SpanRange>;
  charts: readonly NamedChart[];
  /** A service seldom has all metrics. */
  onlyWithData?: boolean;
}

function Charts({ keyText, spans, charts, onlyWithData = false }: ChartsProps) {
  const { range } = spans;
  const { data } = useCharts(keyText, spans, charts);
  const answers = charts.map(({ name }, index) => ({ name, answer: data?.[index] }));
  const shown = onlyWithData ? answers.filter(({ answer }) => answer?.series?.some(hasValue)) : answers;
  if (shown.length === 0) return null;
  return (
    <div className={classes.charts}>
      {shown.map(({ name, answer }) => (
        <Panel key={name} title={name}>
          <div className={classes.chart}>
            {answer || !onlyWithData ? (
              <TileBody label={name} answer={answer} range={range} syncKey="service" />
            ) : (
              <NoData />
            )}
          </div>
        </Panel>
      ))}
    </div>
  );
}

function hasValue({ points }: { points: readonly (readonly [number, number | null])[] }): boolean {
  return points.some(([, value]) => value !== null);
}

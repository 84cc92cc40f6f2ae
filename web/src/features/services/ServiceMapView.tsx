import { Skeleton, Stack, Table, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ServiceEdge, ServiceNodeRef } from '../../../../src/contract/services.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { NoData } from '../../ui/NoData.tsx';
import { type DrawnEdge, layOut, nodeSize, type PlacedNode } from './map-layout.ts';
import { ServiceLink } from './ServiceLink.tsx';
import classes from './Services.module.css';
import { durationText, rateText, shareText } from './service-figures.ts';
import { type SpanRange, useServiceMap } from './services-queries.ts';

const kindTexts = { service: 'service', database: 'database', messaging: 'topic or queue', external: 'other system' };
/** From this share on, an edge is drawn as failing. */
const failingShare = 0.01;

/** The calls between services: a picture, and the same as a table. */
export function ServiceMapView({ spans, onOpen }: { spans: SpanRange; onOpen: (service: string) => void }) {
  const { data, error, refetch } = useServiceMap(spans);
  const layout = useMemo(() => data && layOut(data.map), [data]);
  if (error) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!data || !layout) return <Skeleton height={320} />;
  if (layout.nodes.length === 0) return <NoData />;
  const { map, meta } = data;
  return (
    <Stack gap={16}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a picture that is larger than its frame is scrolled with the keyboard */}
      <section className={classes.map} tabIndex={0} aria-label="Service map">
        <svg width={layout.width} height={layout.height}>
          <title>Calls between services</title>
          <defs>
            <marker
              id="service-map-arrow"
              viewBox="0 0 8 8"
              refX="8"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto"
            >
              <path d="M0 0L8 4L0 8Z" fill="var(--sb-muted)" />
            </marker>
          </defs>
          {layout.edges.map((edge) => (
            <EdgeLine key={edge.key} edge={edge} />
          ))}
          {layout.nodes.map((node) => (
            <NodeBox key={node.key} placed={node} edges={layout.edges} onOpen={onOpen} />
          ))}
        </svg>
      </section>
      {meta.total > map.edges.length || meta.unnamed > 0 || meta.traceShare < 1 ? (
        <Text size="xs" c="var(--sb-muted)">
          {meta.traceShare < 1 ? `Estimated from one in ${Math.round(1 / meta.traceShare)} traces. ` : ''}
          {meta.total > map.edges.length ? `The ${map.edges.length} most frequent of ${meta.total} are shown. ` : ''}
          {meta.unnamed > 0 ? `${meta.unnamed} calls do not say what they call.` : ''}
        </Text>
      ) : null}
      <EdgeTable label="Calls" edges={map.edges} />
    </Stack>
  );
}

function EdgeLine({ edge: { from, to, requests, errors } }: { edge: DrawnEdge }) {
  const isBack = to.x <= from.x;
  const [x1, y1] = [from.x + nodeSize.width, from.y + nodeSize.height / 2];
  const [x2, y2] = [to.x, to.y + nodeSize.height / 2];
  const bend = isBack ? 60 : Math.max(30, (x2 - x1) / 2);
  const isFailing = errors / Math.max(1, requests) >= failingShare;
  return (
    <path
      className={isFailing ? classes.edgeFailing : classes.edge}
      d={`M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
      strokeWidth={Math.min(5, 1 + Math.log10(1 + requests) / 2)}
      markerEnd="url(#service-map-arrow)"
    >
      <title>{`${from.node.name} → ${to.node.name}: ${requests} calls, ${errors} errors`}</title>
    </path>
  );
}

interface NodeBoxProps {
  placed: PlacedNode;
  edges: readonly DrawnEdge[];
  onOpen: (service: string) => void;
}

function NodeBox({ placed: { node, x, y, key }, edges, onOpen }: NodeBoxProps) {
  const { buildLocation } = useRouter();
  const received = edges.filter(({ to }) => to.key === key);
  const requests = received.reduce((sum, each) => sum + each.requests, 0);
  const errors = received.reduce((sum, each) => sum + each.errors, 0);
  const isFailing = errors / Math.max(1, requests) >= failingShare;
  const detail =
    requests === 0 ? kindTexts[node.kind] : `${kindTexts[node.kind]}, ${shareText(errors / requests)} errors`;
  const look = [classes.box, node.kind === 'service' ? classes.service : '', isFailing ? classes.failing : ''].join(
    ' ',
  );
  const content = (
    <>
      <title>{node.name || 'no name'}</title>
      <rect className={look} width={nodeSize.width} height={nodeSize.height} rx={node.kind === 'service' ? 8 : 2} />
      <text className={classes.title} x={10} y={19}>
        {cut(node.name || 'no name', 22)}
      </text>
      <text className={classes.detail} x={10} y={34}>
        {cut(detail, 27)}
      </text>
    </>
  );
  const place = `translate(${x} ${y})`;
  if (node.kind !== 'service' || node.name === '') return <g transform={place}>{content}</g>;
  const open = (event: { preventDefault: () => void }) => {
    event.preventDefault();
    onOpen(node.name);
  };
  return (
    <g transform={place}>
      <a
        href={buildLocation({ to: '/services/$service', params: { service: node.name } }).publicHref}
        onClick={open}
        aria-label={`${node.name}: ${detail}`}
      >
        {content}
      </a>
    </g>
  );
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Calls as rows: what the picture shows, with rates and durations. */
export function EdgeTable({ label, edges }: { label: string; edges: readonly ServiceEdge[] }) {
  return (
    <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={label} className={classes.figures ?? ''}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>From</Table.Th>
            <Table.Th>To</Table.Th>
            <Table.Th>Kind</Table.Th>
            {['Calls/s', 'Errors', 'p50', 'p95', 'p99'].map((head) => (
              <Table.Th key={head} className={classes.number ?? ''}>
                {head}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {edges.map((edge) => (
            <EdgeRow key={JSON.stringify([edge.from, edge.to, edge.measuredBy])} edge={edge} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function EdgeRow({ edge }: { edge: ServiceEdge }) {
  const { from, to, measuredBy } = edge;
  const didNotArrive = to.kind === 'service' && from.kind === 'service' && measuredBy === 'caller';
  return (
    <Table.Tr>
      <Table.Td className={classes.name ?? ''}>
        <NodeName node={from} />
      </Table.Td>
      <Table.Td className={classes.name ?? ''}>
        <NodeName node={to} />
      </Table.Td>
      <Table.Td>
        {didNotArrive ? 'not seen by the callee' : kindTexts[to.kind === 'service' ? from.kind : to.kind]}
      </Table.Td>
      <Table.Td className={classes.number ?? ''}>{rateText(edge.rate)}</Table.Td>
      <Table.Td className={classes.number ?? ''}>
        <span className={edge.errors > 0 ? classes.error : undefined}>{shareText(edge.errorShare)}</span>
      </Table.Td>
      {[edge.p50Ms, edge.p95Ms, edge.p99Ms].map((ms, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the three levels never move
        <Table.Td key={index} className={classes.number ?? ''}>
          {durationText(ms)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function NodeName({ node }: { node: ServiceNodeRef }) {
  return node.kind === 'service' ? <ServiceLink name={node.name} keepsFilter /> : node.name;
}

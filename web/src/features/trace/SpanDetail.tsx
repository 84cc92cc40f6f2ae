import { Badge, Group, Stack, Text, Title } from '@mantine/core';
import { formatSeconds } from '../../charts/format-value.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { AttributeTable } from '../search/AttributeTable.tsx';
import { formatEventTime } from '../search/event-text.ts';
import { ServiceLink } from '../services/ServiceLink.tsx';
import { isError, type SpanNode } from './span-tree.ts';

/** Everything that one span says. */
export function SpanDetail({ node }: { node: SpanNode }) {
  const { span, selfNs, isOrphan } = node;
  return (
    <Stack gap={10}>
      <Title order={2}>{span.name}</Title>
      <Group gap={6}>
        <ServiceLink name={span.service} />
        {span.kind ? (
          <Badge variant="default" tt="none">
            {span.kind}
          </Badge>
        ) : null}
        {span.status ? (
          <Badge variant="light" tt="none" color={isError(span) ? 'red' : 'gray'}>
            {span.status}
          </Badge>
        ) : null}
      </Group>
      {span.statusMessage ? (
        <Text size="sm" c="var(--sb-firing)">
          {span.statusMessage}
        </Text>
      ) : null}
      <Text size="xs" c="var(--sb-muted)">
        {formatEventTime(span.time)} · {formatSeconds(span.durationNs / 1e9)}, of it {formatSeconds(selfNs / 1e9)} in
        this span itself
        {span.startNs > 0 ? ` · starts ${formatSeconds(span.startNs / 1e9)} into the trace` : ''}
      </Text>
      {isOrphan ? (
        <Text size="xs" c="var(--sb-pending)">
          Its parent {span.parentSpanId} is not stored: it was not sampled, or has not arrived.
        </Text>
      ) : null}
      <Group gap={4}>
        <Text size="xs" c="var(--sb-muted)">
          Span {span.spanId}
        </Text>
        <CopyButton value={span.spanId} label="Copy span id" />
      </Group>
      {span.events.map((event, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events have no identity and never move
        <section key={index} aria-label={`Event ${event.name}`}>
          <Text size="xs" fw={600}>
            {event.name} at {formatSeconds(event.atNs / 1e9)}
          </Text>
          {Object.keys(event.attributes).length > 0 ? <AttributeTable event={event.attributes} /> : null}
        </section>
      ))}
      <AttributeTable event={span.attributes} />
    </Stack>
  );
}

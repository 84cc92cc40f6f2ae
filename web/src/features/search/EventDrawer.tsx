import { Badge, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowsVertical, IconTimeline } from '@tabler/icons-react';
import { formatSeconds } from '../../charts/format-value.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { AttributeTable } from './AttributeTable.tsx';
import type { EventRow } from './event-columns.ts';
import { formatEventTime } from './event-text.ts';
import classes from './Search.module.css';
import { type EventSearch, useEventDetail } from './search-queries.ts';
import type { ClauseTest } from './where-clause.ts';

export interface EventDrawerProps {
  search: EventSearch;
  row: EventRow | undefined;
  onClose: () => void;
  onFilter: (test: ClauseTest) => void;
  onShowContext: (row: EventRow) => void;
}

/** One event with everything it says, beside the list. */
export function EventDrawer({ row, onClose, ...rest }: EventDrawerProps) {
  return (
    <Drawer
      opened={row !== undefined}
      onClose={onClose}
      position="right"
      size="min(620px, 100vw)"
      title={row ? formatEventTime(row.time) : ''}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      {row ? <EventDetail row={row} {...rest} /> : null}
    </Drawer>
  );
}

interface EventDetailProps extends Omit<EventDrawerProps, 'row' | 'onClose'> {
  row: EventRow;
}

function EventDetail({ search, row, onFilter, onShowContext }: EventDetailProps) {
  const { data, error } = useEventDetail(search, row);
  return (
    <Stack gap={12}>
      <Group gap={8}>
        {row.level ? (
          <Badge variant="default" tt="none">
            {row.level}
          </Badge>
        ) : null}
        {row.service ? (
          <Badge variant="default" tt="none">
            {row.service}
          </Badge>
        ) : null}
        {row.durationNs === undefined ? null : <Text size="sm">{formatSeconds(row.durationNs / 1e9)}</Text>}
      </Group>
      <pre className={classes.message}>{row.text || '(empty)'}</pre>
      <Group gap={8}>
        {row.traceId ? (
          <ButtonLink
            variant="default"
            leftSection={<IconTimeline size={14} />}
            to="/traces/$traceId"
            params={{ traceId: row.traceId }}
            search={traceAddress(search, row)}
          >
            View trace
          </ButtonLink>
        ) : null}
        <Button variant="default" leftSection={<IconArrowsVertical size={14} />} onClick={() => onShowContext(row)}>
          Surrounding events
        </Button>
        {data ? <CopyButton value={JSON.stringify(data, null, 2)} label="Copy event as JSON" /> : null}
      </Group>
      {error ? <ErrorNotice error={error} /> : null}
      {data ? <AttributeTable event={data} onFilter={onFilter} /> : null}
      {data || error ? null : <Skeleton height={240} />}
    </Stack>
  );
}

/** A trace is found without reading a month when the address says when it was. */
function traceAddress({ source }: EventSearch, row: EventRow) {
  const traceSource = source.kind === 'trace' ? source.id : source.traceSourceId;
  return {
    ...(traceSource ? { source: traceSource } : {}),
    at: String(Date.parse(row.time)),
    ...(row.spanId ? { span: row.spanId } : {}),
  };
}

import { ActionIcon, Badge, Button, Drawer, Group, Skeleton, Stack, Text, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconArrowsVertical, IconChevronDown, IconChevronUp, IconTimeline } from '@tabler/icons-react';
import { formatSeconds } from '../../charts/format-value.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { deadEnd } from '../../ui/dead-end.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useUrlState } from '../../url-state.ts';
import { ServiceLink } from '../services/ServiceLink.tsx';
import { AttributeTable } from './AttributeTable.tsx';
import type { EventRow } from './event-columns.ts';
import { eventKey } from './event-key.ts';
import { formatEventTime } from './event-text.ts';
import { type ListColumn, withColumn, withoutColumn } from './list-columns.ts';
import type { OpenEvent } from './open-event.ts';
import classes from './Search.module.css';
import { type EventSearch, useEventDetail } from './search-queries.ts';
import type { ClauseTest, FilterField } from './where-clause.ts';

export interface EventDrawerProps {
  search: EventSearch;
  open: OpenEvent;
  columns: readonly ListColumn[];
  onFilter: (test: ClauseTest) => void;
  onColumns: (columns: readonly ListColumn[]) => void;
}

/** One event with everything it says, beside the list. */
export function EventDrawer({ open, ...rest }: EventDrawerProps) {
  const { row, error, isOpen, onClose, onNext, onPrevious } = open;
  useHotkeys([
    ['j', () => isOpen && onNext?.()],
    ['k', () => isOpen && onPrevious?.()],
  ]);
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      position="right"
      size="min(620px, 100vw)"
      title={titleOf(open)}
      overlayProps={{ backgroundOpacity: 0.15 }}
    >
      <Stack gap={12}>
        <Steps open={open} search={rest.search} />
        {error ? <ErrorNotice error={error} /> : null}
        {row ? <EventDetail row={row} {...rest} /> : null}
        {isOpen && !row && !error ? <Skeleton height={240} /> : null}
      </Stack>
    </Drawer>
  );
}

/** Empty while the drawer closes. */
function titleOf({ row, isOpen }: OpenEvent): string {
  if (row) return formatEventTime(row.time);
  return isOpen ? 'Event' : '';
}

/** To the neighbours in the list, and a link that shows the same. */
function Steps({ open, search }: Pick<EventDrawerProps, 'open' | 'search'>) {
  return (
    <Group gap={4}>
      <Step
        label="Previous event"
        end="This is the first event of the list."
        shortcut="K"
        onClick={open.onPrevious}
        Icon={IconChevronUp}
      />
      <Step
        label="Next event"
        end="This is the last event of the list."
        shortcut="J"
        onClick={open.onNext}
        Icon={IconChevronDown}
      />
      <CopyButton value={linkTo(search)} label="Copy link to this event" />
      {open.place === undefined ? null : (
        <Text size="xs" c="var(--sb-muted)" aria-live="polite">
          {open.place}
        </Text>
      )}
    </Group>
  );
}

interface StepProps {
  label: string;
  shortcut: string;
  /** Why there is no further one. */
  end: string;
  onClick: (() => void) | undefined;
  Icon: typeof IconChevronUp;
}

function Step({ label, end, shortcut, onClick, Icon }: StepProps) {
  return (
    <Tooltip label={`${label} (${shortcut})`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-keyshortcuts={shortcut.toLowerCase()}
        onClick={onClick}
        {...(onClick ? {} : deadEnd(end))}
      >
        <Icon size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

/** The present address with the range that is shown: “the last 15 minutes” are others when the link is opened. */
function linkTo({ range, source }: EventSearch): string {
  const url = new URL(window.location.href);
  url.searchParams.set('source', source.id);
  url.searchParams.set('from', String(range.startMs));
  url.searchParams.set('to', String(range.endMs));
  url.searchParams.delete('refresh');
  return url.href;
}

interface EventDetailProps extends Omit<EventDrawerProps, 'open'> {
  row: EventRow;
}

function EventDetail({ search, row, columns, onFilter, onColumns }: EventDetailProps) {
  const { data, error } = useEventDetail(search.source, row);
  const [, change] = useUrlState();
  const isColumn = ({ sql }: FilterField) => columns.some(({ expression }) => expression === sql);
  const toggleColumn = (field: FilterField) =>
    onColumns(isColumn(field) ? withoutColumn(columns, field.sql) : withColumn(columns, field.sql, search.source));
  const surround = () => change({ around: eventKey(row), event: undefined }, { replace: false });
  return (
    <>
      <Group gap={8}>
        {row.level ? (
          <Badge variant="default" tt="none">
            {row.level}
          </Badge>
        ) : null}
        {row.service ? <ServiceLink name={row.service} /> : null}
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
        <Button variant="default" leftSection={<IconArrowsVertical size={14} />} onClick={surround}>
          Surrounding events
        </Button>
        {data ? <CopyButton value={JSON.stringify(data, null, 2)} label="Copy event as JSON" /> : null}
      </Group>
      {error ? <ErrorNotice error={error} /> : null}
      {data ? (
        <AttributeTable event={data} onFilter={onFilter} isColumn={isColumn} onToggleColumn={toggleColumn} />
      ) : null}
      {data || error ? null : <Skeleton height={240} />}
    </>
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

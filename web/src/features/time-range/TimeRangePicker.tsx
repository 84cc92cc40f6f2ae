import { ActionIcon, Button, Group, Popover, Select, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconClock, IconZoomOut } from '@tabler/icons-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { instantText, zoneAt } from '../../ui/instant-text.ts';
import { RefreshButton } from './RefreshButton.tsx';
import classes from './TimeRange.module.css';
import {
  describeRange,
  isMoving,
  presets,
  rangeProblems,
  refreshIntervals,
  resolveRange,
  shifted,
  type TimeRange,
  zoomedOut,
} from './time-range.ts';
import type { TimeRangeState } from './use-time-range.ts';

export interface TimeRangePickerProps {
  state: TimeRangeState;
  /** The refresh button of a page that shows when the answer has arrived. */
  refresh?: ReactNode;
}

/** Range, steps back and forth, and refresh of a page. */
export function TimeRangePicker({ state, refresh }: TimeRangePickerProps) {
  const { resolved, nowMs, setRange } = state;
  return (
    <Group gap={8}>
      {state.isUnreadable ? (
        <Text size="xs" c="var(--sb-pending)" role="alert">
          The time range in the address can’t be read. This is the usual one.
        </Text>
      ) : null}
      <Group gap={0} className={classes.control ?? ''} role="group" aria-label="Time range">
        <IconAction label="Earlier" onClick={() => setRange(shifted(resolved, -1))} Icon={IconChevronLeft} />
        <RangeButton state={state} />
        <IconAction label="Later" onClick={() => setRange(shifted(resolved, 1))} Icon={IconChevronRight} />
        <IconAction
          label="Zoom out"
          visibleFrom="sm"
          onClick={() => setRange(zoomedOut(resolved, nowMs))}
          Icon={IconZoomOut}
        />
        {refresh ?? <RefreshButton state={state} />}
        <Select
          size="xs"
          w={84}
          aria-label="Refresh every"
          value={state.refresh}
          allowDeselect={false}
          disabled={!isMoving(state.range)}
          data={refreshIntervals.map(({ name, label }) => ({ value: name, label }))}
          onChange={(name) => state.setRefresh(name ?? '')}
        />
      </Group>
    </Group>
  );
}

interface IconActionProps {
  label: string;
  onClick: () => void;
  Icon: typeof IconClock;
  visibleFrom?: 'sm';
}

function IconAction({ label, onClick, Icon, ...rest }: IconActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={30} aria-label={label} onClick={onClick} {...rest}>
        <Icon size={15} />
      </ActionIcon>
    </Tooltip>
  );
}

function RangeButton({ state }: { state: TimeRangeState }) {
  const [opened, setOpened] = useState(false);
  const choose = (range: TimeRange) => {
    state.setRange(range);
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" trapFocus withinPortal shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconClock size={14} />}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          {describeRange(state.range, state.nowMs)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 16px)">
        <Group align="flex-start" gap={20}>
          <AbsoluteForm state={state} onChoose={choose} />
          <Stack gap={2}>
            {presets.map(({ label, ...range }) => (
              <Button
                key={label}
                variant={state.range.from === range.from && state.range.to === range.to ? 'light' : 'subtle'}
                justify="flex-start"
                onClick={() => choose(range)}
              >
                {label}
              </Button>
            ))}
          </Stack>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}

function AbsoluteForm({ state, onChoose }: { state: TimeRangeState; onChoose: (range: TimeRange) => void }) {
  const shown = (text: string) => (/^\d+$/.test(text) ? instantText(Number(text)) : text);
  const [from, setFrom] = useState(shown(state.range.from));
  const [to, setTo] = useState(shown(state.range.to));
  const [problems, setProblems] = useState<{ from?: string; to?: string }>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = resolveRange({ from, to }, Date.now());
    setProblems(rangeProblems({ from, to }, Date.now()));
    if (!found) return;
    // Local times become instants, so that the address means the same to a colleague elsewhere.
    onChoose({
      from: from.trim().startsWith('now') ? from.trim() : String(found.startMs),
      to: to.trim().startsWith('now') ? to.trim() : String(found.endMs),
    });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap={8} w={230}>
        <TextInput
          size="xs"
          label="From"
          value={from}
          error={problems.from}
          data-autofocus
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          size="xs"
          label="To"
          value={to}
          error={problems.to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Text size="xs" c="var(--sb-muted)">
          2026-11-28 09:30 ({zoneAt(state.nowMs).offset}), or relative: now-90m. Dragging over a chart chooses a range
          too.
        </Text>
        <Button type="submit">Apply</Button>
      </Stack>
    </form>
  );
}

import { Button, Group, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import { zoneAt } from '../../ui/instant-text.ts';
import { describeRange, refreshIntervals } from '../time-range/time-range.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';

/** How often a wall screen refreshes if its address does not say so. */
export const kioskRefresh = '1m';

/** What a wall screen shows beside the name: of when this is, and the way back. */
export function KioskActions({ time, onLeave }: { time: TimeRangeState; onLeave: () => void }) {
  const interval = refreshIntervals.find(({ name, ms }) => name === time.refresh && ms > 0);
  return (
    <Group gap={12}>
      <Text size="xs" c="dimmed">
        {describeRange(time.range, time.nowMs)}, {zoneAt(time.resolved.endMs).name}
        {interval ? `, refreshed every ${interval.ms / 1000} s` : ''}
      </Text>
      <Button variant="subtle" color="gray" leftSection={<IconX size={14} />} onClick={onLeave}>
        Leave kiosk mode
      </Button>
    </Group>
  );
}

/** Escape ends it. */
export function useKioskEnd(isKiosk: boolean, onEnd: () => void): void {
  const end = useRef(onEnd);
  useEffect(() => {
    end.current = onEnd;
  });
  useEffect(() => {
    if (!isKiosk) return;
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isAbovePage(event.target)) end.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isKiosk]);
}

function isAbovePage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog], [role=menu], [aria-expanded=true]') !== null;
}

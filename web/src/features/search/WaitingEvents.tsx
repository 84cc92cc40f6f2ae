import { Button, Text } from '@mantine/core';
import { IconArrowUp } from '@tabler/icons-react';
import { type EventSearch, totalOf, useHistogram } from './search-queries.ts';
import type { LiveHold } from './use-live-hold.ts';

/** How many events came while the list stood still, and the way to them. */
export function WaitingEvents({ search, hold }: { search: EventSearch; hold: LiveHold }) {
  return hold.waiting ? <Waiting search={{ ...search, range: hold.waiting }} onShow={hold.release} /> : null;
}

function Waiting({ search, onShow }: { search: EventSearch; onShow: () => void }) {
  const total = totalOf(useHistogram(search).data) ?? 0;
  const text =
    total === 0 ? 'No new events yet' : `${total.toLocaleString('en-US')} new ${total === 1 ? 'event' : 'events'}`;
  return (
    <>
      <Text size="xs" c="var(--sb-muted)">
        Paused while you read.
      </Text>
      <Button size="compact-xs" variant="light" leftSection={<IconArrowUp size={12} />} onClick={onShow}>
        {text}
      </Button>
    </>
  );
}

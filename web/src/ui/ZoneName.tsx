import { Text } from '@mantine/core';
import { zoneAt } from './instant-text.ts';

/** The zone of every time on the page. */
export function ZoneName({ short = false }: { short?: boolean }) {
  const { name, offset } = zoneAt(Date.now());
  return (
    <Text size="xs" c="var(--sb-muted)" truncate title={`All times are in ${name} (${offset}).`}>
      {short ? offset : `${name} (${offset})`}
    </Text>
  );
}

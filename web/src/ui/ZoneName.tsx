import { Text } from '@mantine/core';
import { zoneAt } from './instant-text.ts';

/** The zone of every time on the page. */
export function ZoneName({ short = false }: { short?: boolean }) {
  const { name, offset } = zoneAt(Date.now());
  const zone = name === offset ? name : `${name} (${offset})`;
  return (
    <Text size="xs" c="var(--sb-muted)" truncate title={`All times are in ${zone}.`}>
      {short ? offset : zone}
    </Text>
  );
}

import { Alert, List } from '@mantine/core';
import { IconClockExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { withLocalTimes } from '../../ui/instant-text.ts';
import { sourceWarningsQuery } from '../where-editor/source-queries.ts';

/** Senders whose clocks are wrong lose their records; nothing else on the pages would say so. */
export function RejectedForTheirTimes() {
  const warnings = useQuery(sourceWarningsQuery).data ?? [];
  if (warnings.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconClockExclamation size={16} />} title="Records were rejected">
      <List size="sm">
        {warnings.map((warning) => (
          <List.Item key={warning}>{withLocalTimes(warning)}</List.Item>
        ))}
      </List>
    </Alert>
  );
}

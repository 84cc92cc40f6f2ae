import { Badge, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { firingCountQuery } from './alert-queries.ts';

/** How many alerts fire now; nothing while none does. */
export function FiringCount() {
  const { data: firing = 0 } = useQuery(firingCountQuery);
  if (firing === 0) return null;
  return (
    <Badge size="sm" fz={11} circle={firing < 10} bg="var(--sb-firing)" c="var(--sb-surface)">
      {firing}
      <VisuallyHidden> firing</VisuallyHidden>
    </Badge>
  );
}

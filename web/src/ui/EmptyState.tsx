import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** What is shown where nothing is yet: what would be here, and the next step towards it. */
export function EmptyState({ title, hint, action }: { title: string; hint: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" gap={8} py={48} px={16}>
      <Title order={2}>{title}</Title>
      <Text size="sm" ta="center" maw={520} c="var(--sb-muted)" component="div">
        {hint}
      </Text>
      {action}
    </Stack>
  );
}

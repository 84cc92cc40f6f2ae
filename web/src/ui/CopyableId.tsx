import { Code, Group, Text } from '@mantine/core';
import { CopyButton } from './CopyButton.tsx';

/** An id as a label, its text and a button that copies it: ids are what API calls and tickets need. */
export function CopyableId({ label, value }: { label: string; value: string }) {
  return (
    <Group gap={8} wrap="wrap">
      <Text size="sm" w={120} c="var(--sb-muted)">
        {label}
      </Text>
      <Code>{value}</Code>
      <CopyButton value={value} label={`Copy ${label}`} />
    </Group>
  );
}

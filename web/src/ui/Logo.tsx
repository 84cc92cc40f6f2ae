import { Group, Text } from '@mantine/core';

/** The signal of the favicon with the name beside it. */
export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden="true">
        <rect x="9" y="1" width="14" height="30" rx="7" fill="light-dark(#25262b, #4a4f57)" />
        <circle cx="16" cy="9" r="5" fill="#e5484d" />
        <circle cx="16" cy="22.5" r="5" fill="#30a46c" />
      </svg>
      <Text fw={650} size="sm">
        Signalbox
      </Text>
    </Group>
  );
}

import { Group, Text } from '@mantine/core';

/** The mark of the favicon, a semaphore that is clear, with the name beside it. */
export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" fill="#3d4bcc" />
        <path d="M10 26V7" stroke="#fff" strokeWidth="3.2" strokeLinecap="round" />
        <path d="M10 10l13 6.5" stroke="#fff" strokeWidth="5.2" strokeLinecap="round" />
        <circle cx="10" cy="10" r="1.7" fill="#3d4bcc" />
      </svg>
      <Text fw={650} size="sm">
        Signalbox
      </Text>
    </Group>
  );
}

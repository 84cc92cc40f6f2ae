import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

/** Copies `value`; `label` says what it is: "Copy API key". */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon variant="subtle" color={copied ? 'teal' : 'gray'} onClick={() => copy(value)} aria-label={label}>
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

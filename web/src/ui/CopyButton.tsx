import { ActionIcon, Tooltip } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

export interface CopyButtonProps {
  value: string;
  label: string;
  /** Among other buttons: it looks like them. */
  framed?: boolean;
  /** In a dialog that opens: one starts here. */
  autoFocus?: boolean;
}

/** Copies `value`; `label` says what it is: "Copy API key". */
export function CopyButton({ value, label, framed = false, autoFocus = false }: CopyButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Tooltip label={copied ? 'Copied' : label}>
      <ActionIcon
        {...(framed ? { variant: 'default', size: 30 } : { variant: 'subtle', color: copied ? 'teal' : 'gray' })}
        onClick={() => copy(value)}
        data-autofocus={autoFocus || undefined}
        aria-label={label}
      >
        {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

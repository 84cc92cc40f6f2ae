import { ActionIcon, Tooltip } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';

/** What the tile shows, as its author says; beside its name, if there is something. */
export function TileDescription({ text = '' }: { text?: string | undefined }) {
  if (text.trim() === '') return null;
  return (
    <Tooltip label={text} multiline maw={360} events={{ hover: true, focus: true, touch: true }} style={preserved}>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Description: ${text}`}>
        <IconHelpCircle size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

/** Its lines are those that were written. */
const preserved = { whiteSpace: 'pre-line' } as const;

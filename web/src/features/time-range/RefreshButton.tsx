import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';

export interface RefreshButtonProps {
  isLoading: boolean;
  onRefresh: () => void;
}

/**
 * Asks anew; while that goes on it turns and does nothing. It stays enabled then, so that it keeps the focus and its
 * tooltip, and nothing slides: an animation of the page's head took half as long as the drawing of a chart.
 */
export function RefreshButton({ isLoading, onRefresh }: RefreshButtonProps) {
  return (
    <Tooltip label="Refresh now">
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Refresh now"
        aria-busy={isLoading}
        aria-disabled={isLoading}
        onClick={isLoading ? undefined : onRefresh}
      >
        {isLoading ? <Loader size={16} color="var(--ai-color)" /> : <IconRefresh size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

import { ActionIcon, Loader, Tooltip } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { isMoving } from './time-range.ts';
import type { TimeRangeState } from './use-time-range.ts';

export interface RefreshButtonProps {
  state: TimeRangeState;
  isLoading?: boolean;
  /** Fetches again what a fixed range shows; a moving one refreshes automatically. */
  onRefresh?: () => void;
}

/**
 * Refreshes; meanwhile it spins and does nothing. It stays enabled then, so that it keeps the focus and its tooltip,
 * and nothing slides: an animation of the page's header took half as long as drawing a chart.
 */
export function RefreshButton({ state, isLoading = false, onRefresh }: RefreshButtonProps) {
  const ask = () => {
    if (isLoading) return;
    if (isMoving(state.range)) state.refreshNow();
    else onRefresh?.();
  };
  return (
    <Tooltip label="Refresh now">
      <ActionIcon
        variant="default"
        size={30}
        aria-label="Refresh now"
        aria-busy={isLoading}
        aria-disabled={isLoading}
        onClick={ask}
      >
        {isLoading ? <Loader size={16} color="var(--ai-color)" /> : <IconRefresh size={15} />}
      </ActionIcon>
    </Tooltip>
  );
}

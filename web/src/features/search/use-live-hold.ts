import { useEffect, useState } from 'react';
import { useUrlState } from '../../url-state.ts';
import { isMoving, type ResolvedRange } from '../time-range/time-range.ts';
import type { TimeRangeState } from '../time-range/use-time-range.ts';

/** A live list that stands still while it is being read. */
export interface LiveHold {
  /** The range to show: as it was when the reading began, or as it is now. */
  range: ResolvedRange;
  /** What came after `range`; absent while the list follows. */
  waiting: ResolvedRange | undefined;
  /** The list was scrolled: whether its newest row is in sight. */
  onScrolled: (isAtTop: boolean) => void;
  /** Goes back to the newest events. */
  release: () => void;
  /** Grows with each release: the list starts anew. */
  releases: number;
}

/** Someone reads when the list is scrolled, an event is open, or text of the list is marked. */
export function useLiveHold(time: TimeRangeState): LiveHold {
  const [url, change] = useUrlState();
  const [isAtTop, setAtTop] = useState(true);
  const [releases, setReleases] = useState(0);
  const [held, setHeld] = useState<ResolvedRange>();
  const isMarked = useMarkedText();
  const isLive = time.refresh === 'live' && isMoving(time.range);
  const isReading = isLive && (!isAtTop || isMarked || url.event !== undefined);
  if (isReading && !held) setHeld(time.resolved);
  if (!isReading && held) setHeld(undefined);
  const range = (isReading && held) || time.resolved;
  const isBehind = time.resolved.endMs > range.endMs;
  return {
    range,
    waiting: isBehind ? { startMs: range.endMs, endMs: time.resolved.endMs } : undefined,
    onScrolled: setAtTop,
    release: () => {
      document.getSelection()?.removeAllRanges();
      setAtTop(true);
      setReleases((before) => before + 1);
      if (url.event !== undefined) change({ event: undefined });
    },
    releases,
  };
}

/** Whether text inside the list of events is marked. */
function useMarkedText(): boolean {
  const [isMarked, setMarked] = useState(false);
  useEffect(() => {
    const look = () => {
      const selection = document.getSelection();
      const node = selection?.isCollapsed === false ? selection.anchorNode : null;
      const element = node instanceof Element ? node : node?.parentElement;
      setMarked(Boolean(element?.closest('[role="grid"]')));
    };
    document.addEventListener('selectionchange', look);
    return () => document.removeEventListener('selectionchange', look);
  }, []);
  return isMarked;
}

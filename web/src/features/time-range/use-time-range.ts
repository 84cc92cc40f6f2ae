import { useEffect, useState } from 'react';
import { useUrlState } from '../../url-state.ts';
import { type ResolvedRange, refreshMsOf, resolveRange, type TimeRange } from './time-range.ts';

export interface TimeRangeState {
  range: TimeRange;
  /** The range now; moves with each refresh when the range is relative. */
  resolved: ResolvedRange;
  nowMs: number;
  /** The range of the address could not be read, and another one is shown. */
  isUnreadable: boolean;
  /** Name of the chosen refresh interval; empty = off. */
  refresh: string;
  setRange: (range: TimeRange) => void;
  setRefresh: (name: string) => void;
  /** Looks at the clock again. */
  refreshNow: () => void;
}

/** The time range of the address (`from`, `to`, `refresh`), with a clock that ticks at the refresh interval. */
export function useTimeRange(usual: TimeRange = { from: 'now-1h', to: 'now' }, usualRefresh = ''): TimeRangeState {
  const [state, change] = useUrlState();
  const [nowMs, setNowMs] = useState(() => Date.now());
  const asked = { from: state.from ?? usual.from, to: state.to ?? usual.to };
  const found = resolveRange(asked, nowMs);
  const range = found ? asked : usual;
  const refresh = state.refresh ?? usualRefresh;
  const refreshMs = refreshMsOf(refresh);
  useEffect(() => {
    if (refreshMs === 0) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') setNowMs(Date.now());
    }, refreshMs);
    return () => clearInterval(timer);
  }, [refreshMs]);
  return {
    range,
    resolved: found ?? resolveRange(usual, nowMs) ?? { startMs: nowMs - 3_600_000, endMs: nowMs },
    nowMs,
    isUnreadable: !found,
    refresh,
    setRange: ({ from, to }) => {
      setNowMs(Date.now());
      change({ from, to }, { replace: false });
    },
    setRefresh: (name) => {
      setNowMs(Date.now());
      change({ refresh: name });
    },
    refreshNow: () => setNowMs(Date.now()),
  };
}

import { useSyncExternalStore } from 'react';
import { pageZone, setZone, watchZone, type ZoneChoice, zoneChoice } from './page-zone.ts';

const storageKey = 'signalbox-time-zone';

/** What the person chose in this browser. A component that asks is drawn again when it changes. */
export function useZoneChoice(): ZoneChoice {
  return useSyncExternalStore(watchZone, zoneChoice);
}

/** As `pageZone`, for queries and components that depend on it. */
export function usePageZone(): string {
  return useSyncExternalStore(watchZone, pageZone);
}

export function chooseZone(next: ZoneChoice): void {
  setZone(next);
  try {
    localStorage.setItem(storageKey, next);
  } catch {
    // Without storage, the choice ends with the page.
  }
}

/** Before the first page is drawn. */
export function restoreZone(): void {
  try {
    setZone(localStorage.getItem(storageKey) ?? 'local');
  } catch {
    // The browser's zone.
  }
}

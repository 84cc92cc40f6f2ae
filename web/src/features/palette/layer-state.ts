import { useSyncExternalStore } from 'react';

/** What lies above the page: the palette, or the sheet of shortcuts. */
type Layer = 'palette' | 'sheet' | undefined;

let open: Layer;
const watchers = new Set<() => void>();

export function showLayer(layer: Layer): void {
  open = layer;
  for (const watcher of watchers) watcher();
}

export function useLayer(): Layer {
  return useSyncExternalStore(watch, () => open);
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

import { useEffect, useRef } from 'react';
import { isApple, takesText } from '../palette/key-press.ts';

export const undoKeys = isApple ? '⌘Z' : 'Ctrl+Z';
export const redoKeys = isApple ? '⇧⌘Z' : 'Ctrl+Shift+Z';

/** Takes edits of the page back, where the keys do not mean text or something above the page. */
export function useUndoKeys(actions: { undo: () => void; redo: () => void }): void {
  const current = useRef(actions);
  useEffect(() => {
    current.current = actions;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey || !(isApple ? event.metaKey : event.ctrlKey)) return;
      if (takesText(event.target) || isAbovePage(event.target)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) current.current.redo();
      else current.current.undo();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function isAbovePage(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role=dialog]') !== null;
}

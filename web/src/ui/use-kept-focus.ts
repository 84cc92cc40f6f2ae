import { useEffect } from 'react';

/** More than anyone passes through in a dialog. */
const rememberedMax = 50;

/**
 * The focus does not fall off the page with what had it: it goes back to what had it before, or to the box around it.
 * That is so after a link was followed, a row was deleted, or a dialog closed whose opener is gone.
 */
export function useKeptFocus(): void {
  useEffect(() => {
    let last: Element | undefined;
    let remembered: HTMLElement[] = [];
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof HTMLElement)) return;
      last = target;
      const places = new Set([target, ...boxesAround(target), ...remembered]);
      remembered = [...places].filter((place) => place.isConnected).slice(0, rememberedMax);
    };
    const keep = () => {
      if (document.activeElement !== document.body || !last || last.isConnected) return;
      last = undefined;
      for (const place of remembered) {
        place.focus({ preventScroll: true });
        if (document.activeElement === place) return;
      }
    };
    const observer = new MutationObserver(keep);
    observer.observe(document.body, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
}

/** What can take the focus around an element, the nearest first. */
function boxesAround(element: HTMLElement): HTMLElement[] {
  const box = element.parentElement?.closest<HTMLElement>('[tabindex="-1"]');
  return box ? [box, ...boxesAround(box)] : [];
}

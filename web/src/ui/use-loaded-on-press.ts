import { useEffect, useState } from 'react';

const presses = ['pointerdown', 'keydown'] as const;

/**
 * A part of the page that is not needed before the first press of a key or a button, but must be there when the server no
 * longer is. Loaded with that press, or as soon as `isNeeded`; if that fails, the next press tries again.
 * @param load always the same function
 */
export function useLoadedOnPress<Part>(load: () => Promise<Part>, isNeeded: boolean): Part | undefined {
  const [loaded, setLoaded] = useState<{ part: Part }>();
  const isLoaded = loaded !== undefined;
  useEffect(() => {
    if (isLoaded) return;
    const start = () => {
      load().then(
        (part) => setLoaded({ part }),
        () => {},
      );
    };
    if (isNeeded) start();
    for (const press of presses) addEventListener(press, start, { capture: true });
    return () => {
      for (const press of presses) removeEventListener(press, start, { capture: true });
    };
  }, [load, isLoaded, isNeeded]);
  return loaded?.part;
}

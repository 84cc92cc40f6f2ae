export interface Sight {
  isInSight: () => boolean;
  end: () => void;
}

/** Follows whether any of an element can be seen; it counts as seen until the browser says otherwise. */
export function watchSight(element: Element, onLeave: () => void): Sight {
  let isInSight = true;
  const watch = new IntersectionObserver((entries) => {
    isInSight = entries.at(-1)?.isIntersecting ?? true;
    if (!isInSight) onLeave();
  });
  watch.observe(element);
  return { isInSight: () => isInSight, end: () => watch.disconnect() };
}

/** Of a button without text that leads nowhere now: it says why, and can still be reached by keys. */
export function deadEnd(reason: string) {
  return {
    'aria-disabled': true,
    'data-disabled': true,
    title: reason,
    'aria-description': reason,
    onClick: undefined,
  };
}

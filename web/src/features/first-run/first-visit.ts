// Not in the address: a link that someone sends must not create a key.
let isFirst = false;

/** The first account was just created in this tab. */
export function beginFirstVisit(): void {
  isFirst = true;
}

/** Whether it was; true once. */
export function takeFirstVisit(): boolean {
  const was = isFirst;
  isFirst = false;
  return was;
}

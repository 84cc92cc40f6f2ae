/** Marks the branch that an exhaustive `switch` can't reach; throws if it is reached after all. */
export function assertNever(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}

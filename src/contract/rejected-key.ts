import { Type } from 'typebox';

/** JSON Schema keyword that holds why a key is refused, as the client sees it. */
export const rejectionKeyword = 'x-rejected';

/**
 * A key that clients of today send, that would change what happens, and that nothing here acts on: anything but null,
 * which means absent, is refused with this sentence (decisions F8). The sentence goes on from the key's path.
 */
export function rejectedKey(sentence: string) {
  return Type.Optional(
    Type.Unsafe<null>({ type: 'null', description: `Rejected: ${sentence}`, [rejectionKeyword]: sentence }),
  );
}

/** The same sentence for several keys. */
export function rejectedKeys<const Name extends string>(
  names: readonly Name[],
  sentence: string,
): Record<Name, ReturnType<typeof rejectedKey>> {
  // One entry per name.
  return Object.fromEntries(names.map((name) => [name, rejectedKey(sentence)])) as Record<
    Name,
    ReturnType<typeof rejectedKey>
  >;
}

import { Type } from 'typebox';

/** JSON Schema keyword with the reason why a key is rejected, as the client sees it. */
export const rejectionKeyword = 'x-rejected';

/**
 * A key that current clients send, that would change behaviour, and that nothing here implements: anything but null,
 * which means absent, is rejected with this sentence (decisions F8). The sentence continues the key's path.
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

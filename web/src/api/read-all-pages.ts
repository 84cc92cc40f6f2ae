export interface ListPage<T> {
  data: readonly T[];
  /** Of a paged list: how many entries there are. */
  meta?: Record<string, unknown>;
}

/**
 * Every entry of a list whose answers hold a part of it. One that moves to a later page while it is read is not there
 * twice; what is added meanwhile comes with the next reading.
 */
export async function readAllPages<T extends { id: string }>(
  readPage: (offset: number) => Promise<ListPage<T>>,
): Promise<T[]> {
  const found = new Map<string, T>();
  let offset = 0;
  for (;;) {
    const { data, meta } = await readPage(offset);
    for (const entry of data) found.set(entry.id, entry);
    offset += data.length;
    if (data.length === 0 || offset >= Number(meta?.total ?? 0)) return [...found.values()];
  }
}

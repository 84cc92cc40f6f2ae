/**
 * Replaces source names by ids in every `sourceId`: the ids of the default sources are random, so a provisioned
 * dashboard could not refer to them otherwise. Values that are not names of sources stay unchanged.
 */
export function withSourceIds(body: unknown, idByName: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(body)) return body.map((item) => withSourceIds(item, idByName));
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const id = key === 'sourceId' && typeof value === 'string' ? idByName.get(value) : undefined;
      return [key, id ?? withSourceIds(value, idByName)];
    }),
  );
}

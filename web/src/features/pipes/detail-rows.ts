export interface DetailRow {
  /** Path of the value: `kafka.brokers`, `postgres.tableMappings[0].sourceTable`. */
  path: string;
  value: string;
}

/** Every value of a part of a pipe with its path, in the API's order. Secrets come masked from the API and stay so. */
export function detailRows(value: unknown, path = ''): DetailRow[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return listRows(value, path);
  if (typeof value !== 'object') return [{ path, value: String(value) }];
  return Object.entries(value).flatMap(([name, part]) => detailRows(part, path === '' ? name : `${path}.${name}`));
}

function listRows(items: unknown[], path: string): DetailRow[] {
  const isPlain = items.every((item) => typeof item !== 'object');
  if (isPlain) return [{ path, value: items.length === 0 ? 'none' : items.join(', ') }];
  return items.flatMap((item, index) => detailRows(item, `${path}[${index}]`));
}

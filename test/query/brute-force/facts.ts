/** A stored row as the slow reading sees it: an event, or a data point. */
export interface Fact {
  atMs: number;
  columns: Readonly<Record<string, string | number>>;
  maps: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What a text of a request names, and how to find it in a row; '' where it is missing. */
export interface Field {
  text: string;
  read(fact: Fact): string | number;
}

export const columnField = (name: string): Field => ({ text: name, read: ({ columns }) => columns[name] ?? '' });

/** A key of one map, in either spelling. */
export function keyField(map: string, key: string, spelling: 'dots' | 'brackets'): Field {
  const text = spelling === 'dots' ? `${map}.${key}` : `${map}['${key}']`;
  return { text, read: ({ maps }) => maps[map]?.[key] ?? '' };
}

/** decisions C6: looked for in the record's own attributes, then the resource's. */
export function attributeField(key: string, maps: readonly string[]): Field {
  return {
    text: key,
    read: (fact) => maps.map((map) => fact.maps[map]?.[key] ?? '').find((value) => value !== '') ?? '',
  };
}

/** decisions C7: text that is no finite number is left out. */
export function numberOf(value: string | number): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return /^[-+]?[0-9.]+(e[0-9]+)?$/.test(value) ? Number(value) : undefined;
}

export function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export const total = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0);

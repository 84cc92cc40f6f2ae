import { textOf } from './event-columns.ts';
import { type FilterField, sqlText } from './where-clause.ts';

/** One line of the table of an event's attributes. */
export interface AttributeEntry {
  /** The map that it is in; empty for columns. */
  group: string;
  /** Its name within the group. */
  label: string;
  field: FilterField;
  value: string;
  /** An instant (ISO 8601) in a column; the texts of maps are shown as they were sent. */
  isTime: boolean;
  /** What filters can test: lists can't be compared with a value. */
  filterable: boolean;
}

/** Columns and the keys of maps, as filters write them; empty ones are left out. */
export function attributeEntries(event: Record<string, unknown>): AttributeEntry[] {
  return Object.entries(event).flatMap(([column, value]): AttributeEntry[] => {
    if (Array.isArray(value)) return value.length === 0 ? [] : [entry(column, column, 'array', textOf(value))];
    if (typeof value === 'object' && value !== null) return mapEntries(column, value);
    const text = textOf(value);
    return text === '' ? [] : [entry(column, sqlName(column), typeof value === 'number' ? 'number' : 'string', text)];
  });
}

function mapEntries(column: string, map: object): AttributeEntry[] {
  return Object.entries(map)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([key, value]) => ({
      ...entry(`${column}.${key}`, `${sqlName(column)}[${sqlText(key)}]`, 'string', textOf(value)),
      group: column,
      label: key,
      isTime: false,
    }));
}

function entry(name: string, sql: string, type: FilterField['type'], value: string): AttributeEntry {
  const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/.test(value);
  const filterable = type !== 'array' && !isTime;
  return { group: '', label: name, field: { name, sql, type }, value, isTime, filterable };
}

function sqlName(column: string): string {
  return /^[A-Za-z_]\w*$/.test(column) ? column : `\`${column}\``;
}

/** By the map that they are in, in the order given. */
export function groupEntries(entries: readonly AttributeEntry[]): [string, AttributeEntry[]][] {
  const groups = new Map<string, AttributeEntry[]>();
  for (const each of entries) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return [...groups];
}

/** Entries whose name or value has the text, in any case. */
export function findEntries(entries: readonly AttributeEntry[], text: string): AttributeEntry[] {
  const wanted = text.trim().toLowerCase();
  return entries.filter(({ field, value }) => `${field.name}\n${value}`.toLowerCase().includes(wanted));
}

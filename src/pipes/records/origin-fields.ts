import type { PipeInput } from '../../contract/pipe-input.ts';

/** Fields that say where a record comes from, each as a text of JSON. */
export type OriginFields<Origin> = Readonly<Record<string, (origin: Origin) => string>>;

/** Those that the pipe asks for, by a mapping or, without mappings, by a column of that name. */
export function askedFields({ destination, fieldMappings = [] }: PipeInput, known: object): string[] {
  const { columns = [] } = destination ?? {};
  const asked =
    fieldMappings.length > 0 ? fieldMappings.map(({ sourceField }) => sourceField) : columns.map(({ name }) => name);
  return [...new Set(asked)].filter((name) => Object.hasOwn(known, name));
}

/** First fields of a JSON object. */
export function originText<Origin>(fields: OriginFields<Origin>, names: readonly string[], origin: Origin): string {
  return names.map((name) => `"${name}":${fields[name]?.(origin) ?? 'null'}`).join(',');
}

export function timeJson(ms: number): string {
  return JSON.stringify(new Date(Math.max(0, ms)).toISOString().slice(0, 23).replace('T', ' '));
}

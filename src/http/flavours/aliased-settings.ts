const own = 'engine_';
const alias = 'clickhouse_';

/** Settings carry the prefix that existing clients know (decisions F7), alone and in pipes; everything else as it is. */
export function withAliasedSettings(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withAliasedSettings);
  if (!isObject(data)) return data;
  if (!isObject(data.settings)) return aliasedNames(data);
  return { ...data, settings: aliasedNames(data.settings) };
}

function aliasedNames(settings: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [aliased(name), value]));
}

function aliased(name: string): string {
  return name.startsWith(own) ? alias + name.slice(own.length) : name;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

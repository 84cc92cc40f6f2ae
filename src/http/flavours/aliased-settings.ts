const own = 'engine_';
const alias = 'clickhouse_';

/** A pipe whose settings carry the prefix that existing clients know (decisions F7); everything else as it is. */
export function withAliasedSettings(pipe: unknown): unknown {
  if (!isObject(pipe) || !isObject(pipe.settings)) return pipe;
  const settings = Object.entries(pipe.settings).map(([name, value]) => [aliased(name), value]);
  return { ...pipe, settings: Object.fromEntries(settings) };
}

function aliased(name: string): string {
  return name.startsWith(own) ? alias + name.slice(own.length) : name;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

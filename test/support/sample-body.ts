/** A JSON schema as the interface document holds it. */
export type Schema = Record<string, unknown>;

export interface NumericPlace {
  path: readonly (string | number)[];
}

/** Bodies are as deep as this; what lies deeper is left out where it may be. */
const depthMax = 12;

/** A body that has every property a schema names, and the paths of its numbers. */
export function sampleBody(schema: Schema, components: Record<string, Schema>) {
  const places: NumericPlace[] = [];
  const body = sample(schema, { components, places, path: [] });
  return { body, places };
}

interface Walk {
  components: Record<string, Schema>;
  places: NumericPlace[];
  path: (string | number)[];
}

function sample(given: Schema, walk: Walk): unknown {
  const schema = resolved(given, walk.components);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].find(Array.isArray) as Schema[] | undefined;
  if (branches) return sample(numericBranch(branches, walk.components), walk);
  if (schema.else && !schema.properties) return sample(schema.else as Schema, walk);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'integer' || type === 'number') return number(schema, walk);
  if (type === 'array') return [sample((schema.items ?? {}) as Schema, { ...walk, path: [...walk.path, 0] })];
  if (type === 'object' || schema.properties) return object(schema, walk);
  if (type === 'boolean') return true;
  return typeof schema.pattern === 'string' && schema.pattern.includes('{24}') ? 'a'.repeat(24) : '5m';
}

function number(schema: Schema, { places, path }: Walk): number {
  places.push({ path });
  return typeof schema.minimum === 'number' ? schema.minimum : 1;
}

function object(schema: Schema, walk: Walk): object {
  if (walk.path.length > depthMax) return {};
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  return Object.fromEntries(
    properties.map(([name, one]) => [name, sample(one, { ...walk, path: [...walk.path, name] })]),
  );
}

function resolved(schema: Schema, components: Record<string, Schema>): Schema {
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  return name === undefined ? schema : resolved(components[name] ?? {}, components);
}

/** Of alternatives the one that may be a number, else the first. */
function numericBranch(branches: Schema[], components: Record<string, Schema>): Schema {
  const isNumber = (one: Schema) => ['integer', 'number'].includes(String(resolved(one, components).type));
  return branches.find(isNumber) ?? branches[0] ?? {};
}

/** The text of a body with another token in one place, which JSON.stringify might not write. */
export function withToken(body: unknown, { path }: NumericPlace, token: string): string {
  return replaced(body, path, token);
}

function replaced(value: unknown, [key, ...rest]: readonly (string | number)[], token: string): string {
  if (key === undefined) return token;
  const parts = Object.entries(value as object).map(([name, one]) => {
    const text = name === String(key) ? replaced(one, rest, token) : JSON.stringify(one);
    return Array.isArray(value) ? text : `${JSON.stringify(name)}:${text}`;
  });
  return Array.isArray(value) ? `[${parts.join()}]` : `{${parts.join()}}`;
}

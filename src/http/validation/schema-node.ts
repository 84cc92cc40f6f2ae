/** The keywords of JSON Schema that our schemas use. */
export interface SchemaNode {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  items?: SchemaNode;
  required?: readonly string[];
  properties?: Readonly<Record<string, SchemaNode>>;
  patternProperties?: Readonly<Record<string, SchemaNode>>;
  additionalProperties?: boolean | SchemaNode;
  maxProperties?: number;
  anyOf?: readonly SchemaNode[];
  oneOf?: readonly SchemaNode[];
  discriminator?: { propertyName: string };
  if?: SchemaNode;
  then?: SchemaNode;
  else?: SchemaNode;
  'x-rejected'?: string;
  'x-must-be'?: string;
}

const supported = [
  ...['type', 'enum', 'const', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'minItems', 'maxItems'],
  ...['items', 'required', 'properties', 'patternProperties', 'additionalProperties', 'maxProperties', 'anyOf'],
  ...['oneOf', 'discriminator', 'if', 'then', 'else', 'x-rejected', 'x-must-be'],
];
const annotations = ['title', 'description', 'examples', 'format', 'x-secret'];
const known = new Set([...supported, ...annotations]);

/** @throws {Error} on what would be passed over: a rule that is silently ignored is worse than none */
export function asNode(schema: object): SchemaNode {
  const unknown = Object.keys(schema).find((keyword) => !known.has(keyword));
  if (unknown !== undefined) throw new Error(`no validator supports the schema keyword ${unknown}`);
  // Every keyword is known, and their values come from TypeBox.
  return schema as SchemaNode;
}

import type { TSchema } from 'typebox';
import { secretKeyword } from '../../contract/pipe.ts';

/** Whether the contract marks a field as secret (contract §12, decisions P2). */
export function isSecret(schema: TSchema): boolean {
  return secretKeyword in schema && schema[secretKeyword] === true;
}

/** The schemas of an object's fields by name; none for other schemas. */
export function fieldsOf(schema: TSchema): Readonly<Record<string, TSchema>> {
  // `properties` of a schema are schemas.
  return 'properties' in schema ? (schema.properties as Record<string, TSchema>) : {};
}

/** The schema of the items of a list. */
export function itemOf(schema: TSchema): TSchema | undefined {
  // `items` of a schema are a schema.
  return 'items' in schema ? (schema.items as TSchema) : undefined;
}

/** The schema of the value at a dotted path. */
export function schemaAt(schema: TSchema, path: string): TSchema | undefined {
  let found: TSchema | undefined = schema;
  for (const step of path === '' ? [] : path.split('.')) {
    if (!found) return undefined;
    found = itemOf(found) ?? fieldsOf(found)[step];
  }
  return found;
}

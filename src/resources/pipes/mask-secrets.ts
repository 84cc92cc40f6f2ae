import type { TSchema } from 'typebox';
import { secretMask } from '../../contract/pipe.ts';
import { fieldsOf, isSecret, itemOf } from './schema-walk.ts';

/** Hears of each secret that was left out, and at which dotted path. */
export type TakeSecret = (path: string, secret: unknown) => void;

/**
 * What a schema knows of a value, with the mask in place of everything that the schema marks as secret. Order is kept,
 * absent stays absent. The one way by which pipes are both stored and presented.
 */
export function maskSecrets(schema: TSchema, value: unknown, take: TakeSecret = () => {}, path = ''): unknown {
  if (isSecret(schema)) {
    take(path, value);
    return secretMask;
  }
  if (Array.isArray(value)) {
    const item = itemOf(schema);
    return value.map((entry, index) => (item ? maskSecrets(item, entry, take, join(path, index)) : entry));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = fieldsOf(schema);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      return field ? [[key, maskSecrets(field, entry, take, join(path, key))]] : [];
    }),
  );
}

function join(path: string, step: string | number): string {
  return path === '' ? String(step) : `${path}.${step}`;
}

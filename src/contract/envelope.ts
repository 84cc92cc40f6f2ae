import { type TSchema, Type } from 'typebox';
import { UuidSchema } from './identifiers.ts';

/** seed §Error object: self-hosted dashboards. */
export const MessageErrorSchema = Type.Object({ message: Type.String() }, { title: 'MessageError' });

/** Chart errors say it in both keys (decisions F5). */
export const ChartErrorSchema = Type.Object({ message: Type.String(), error: Type.String() }, { title: 'ChartError' });

/** seed §Error object: managed, exactly these two keys. */
export const ManagedErrorSchema = Type.Object(
  { error: Type.String(), status: Type.Integer() },
  { title: 'ManagedError', additionalProperties: false },
);

export const PageMetaSchema = Type.Object(
  { total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() },
  { title: 'PageMeta' },
);

/** `{data}` of the self-hosted flavour (decisions F4). */
export function dataEnvelope(data: TSchema, meta?: TSchema): TSchema {
  return Type.Object(meta ? { data, meta: Type.Optional(meta) } : { data });
}

/** `{requestId, result, status}` of the managed flavour; without `result` where there is none. */
export function resultEnvelope(result?: TSchema): TSchema {
  const rest = { requestId: UuidSchema, status: Type.Integer() };
  return Type.Object(result ? { ...rest, result } : rest);
}

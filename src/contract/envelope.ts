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

/** What a write removed in addition to its target; absent if nothing (decisions D9). */
export const RemovalMetaSchema = Type.Object(
  {
    deletedAlerts: Type.Optional(Type.Array(Type.String(), { description: 'Ids of the removed alerts.' })),
    deletedSources: Type.Optional(Type.Array(Type.String(), { description: 'Ids of the removed sources.' })),
  },
  { title: 'RemovalMeta' },
);

/** `{data}` of the self-hosted flavour (decisions F4). */
export function dataEnvelope(data: TSchema, meta?: TSchema): TSchema {
  return Type.Object(meta ? { data, meta: Type.Optional(meta) } : { data });
}

/** `{}`, with warnings beside it where there is anything. */
export function metaEnvelope(meta?: TSchema): TSchema {
  return Type.Object(meta ? { meta: Type.Optional(meta) } : {});
}

/** `{requestId, result, status}` of the managed flavour; without `result` where there is none. */
export function resultEnvelope(result?: TSchema, meta?: TSchema): TSchema {
  const rest = { requestId: UuidSchema, status: Type.Integer(), ...(meta && { meta: Type.Optional(meta) }) };
  return Type.Object(result ? { ...rest, result } : rest);
}

import { Type } from 'typebox';

/** Query of a DELETE that rejects the removal of resources in use. */
export const RemovalQuerySchema = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'If true, removes it even if it is in use. Default: false.' })),
});

import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';

/** `limit` and `offset` of paged lists (alerts, webhooks): 1000 from the start when absent. */
export const PageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, description: '1000 when absent.' })),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: '0 when absent.' })),
});
export type PageQuery = Static<typeof PageQuerySchema>;

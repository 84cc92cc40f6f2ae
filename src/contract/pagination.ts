import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';

/** How many entries a page leaves out. */
export const PageOffsetSchema = Type.Optional(
  Type.Integer({ minimum: 0, maximum: limits.pageOffset, description: '0 when absent.' }),
);

/** `limit` and `offset` of paged lists (alerts, webhooks): 1000 from the start when absent. */
export const PageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, description: '1000 when absent.' })),
  offset: PageOffsetSchema,
});
export type PageQuery = Static<typeof PageQuerySchema>;

import { type Static, Type } from 'typebox';
import { limits } from './limits.ts';

/** How many entries a page leaves out. */
export const PageOffsetSchema = Type.Optional(
  Type.Integer({ minimum: 0, maximum: limits.pageOffset, description: 'Default: 0.' }),
);

/** `limit` and `offset` of paged lists (alerts, webhooks): 1000 from the start when absent. */
export const PageQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: limits.pageSize, description: 'Default: 1000.' })),
  offset: PageOffsetSchema,
});
export type PageQuery = Static<typeof PageQuerySchema>;

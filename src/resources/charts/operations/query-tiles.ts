import { DocumentedTilesRequestSchema, TileAnswerSchema, TilesRequestSchema } from '../../../contract/tile-query.ts';
import { type Operation, operation } from '../../../http/operation.ts';
import type { TileService } from '../tiles/tile-service.ts';

/** What the tiles of a dashboard show, in one request, offered where charts are. */
export function queryTiles(tiles: TileService): Operation {
  return operation({
    id: 'queryTiles',
    method: 'POST',
    path: '/charts/tiles',
    flavours: ['selfHosted'],
    console: true,
    summary: 'Query what several tiles show',
    tag: 'Charts',
    role: 'read',
    body: TilesRequestSchema,
    documentedBody: DocumentedTilesRequestSchema,
    bodyInvalid: 'query_invalid',
    answer: { kind: 'list', schema: TileAnswerSchema },
    errors: ['query_invalid'],
    errorInBothKeys: true,
    handle: async ({ principal, body, signal }) => ({
      kind: 'data',
      data: await tiles.query(principal.tenantId, body, signal),
    }),
  });
}

import { type Static, Type } from 'typebox';
import { exportFormats, exportLimitHeader, exportRowsMax } from './export-format.ts';
import { SearchRequestSchema } from './search.ts';

/** Body of `POST /search/export`. */
export const SearchExportRequestSchema = Type.Object(
  {
    ...Type.Omit(SearchRequestSchema, ['maxResults', 'offset']).properties,
    format: Type.Enum(exportFormats, {
      description: 'csv: RFC 4180 with a header row; ndjson: one JSON object per line, as a row of POST /search.',
    }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: exportRowsMax,
        description: `Rows at most; ${exportRowsMax} by default. The response repeats it as ${exportLimitHeader}.`,
      }),
    ),
  },
  { title: 'SearchExportRequest' },
);
export type SearchExportRequest = Static<typeof SearchExportRequestSchema>;

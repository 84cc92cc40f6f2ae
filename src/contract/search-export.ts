import { type Static, Type } from 'typebox';
import { SearchRequestSchema } from './search.ts';

/** Rows that one export holds at most, and unless `limit` asks for fewer. */
export const exportRowsMax = 100_000;

/** Header of an export that says how many rows it holds at most. */
export const exportLimitHeader = 'X-Export-Limit';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

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

/** Rows that one export holds at most, and unless `limit` asks for fewer. */
export const exportRowsMax = 100_000;

/** Header of an export that says how many rows it holds at most. */
export const exportLimitHeader = 'X-Export-Limit';

export const exportFormats = ['csv', 'ndjson'] as const;
export type ExportFormat = (typeof exportFormats)[number];

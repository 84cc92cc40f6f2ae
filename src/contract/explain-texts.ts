/** What the compiler makes use of in a statement. */
export const techniques = {
  countProjection: 'Reads precomputed counts per minute and per hour instead of events.',
  tableOrder: 'Aggregates groups in the order of the table.',
  groupHash: 'Combines bucket and groups into one 64-bit key.',
  foldedBuckets: 'Keeps the buckets of each group in an array.',
  topNLimit: 'Keeps only the largest groups.',
} as const;

/** How a statement answers queries. */
export const mechanisms = {
  single: 'One query, or several identical ones.',
  sharedSeries: 'Queries that differ only in their series.',
  groupingSets: 'Queries over the same rows with different buckets or groups.',
  predicateCounting: 'Queries that count the same rows with many filters.',
  rawSql: 'The statement of a raw SQL tile.',
  careful: 'A second statement for metrics whose senders restarted, or whose series begin or have gaps.',
} as const;

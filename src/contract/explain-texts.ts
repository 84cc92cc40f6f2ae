/** What the compiler made use of in a statement. */
export const techniques = {
  countProjection: 'Precomputed counts per minute and per hour are read instead of events.',
  tableOrder: 'Groups are read in the order of the table, one at a time.',
  groupHash: 'Bucket and groups are combined into one 64-bit key.',
  foldedBuckets: 'Each group keeps its buckets in an array.',
  topNLimit: 'Only the largest groups are kept.',
} as const;

export const mechanisms = {
  single: 'One query, read alone; or several identical ones.',
  sharedSeries: 'Queries that differ only in their series.',
  groupingSets: 'Queries over the same rows with different buckets or groups.',
  predicateCounting: 'Queries that count the same rows by many filters.',
  careful: 'Metrics that are read again with more care: senders restarted, or series started or had gaps.',
} as const;

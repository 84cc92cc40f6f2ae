/** What the compiler made use of in a statement. */
export const techniques = {
  countProjection: 'Rows that were counted beforehand, per minute and per hour, are read instead of events.',
  tableOrder: 'Groups are read in the order of the table, each in one go.',
  groupHash: 'Bucket and groups are one number of 64 bits.',
  foldedBuckets: 'Each group keeps its buckets in an array.',
  topNLimit: 'Only the largest groups are kept.',
} as const;

export const mechanisms = {
  single: 'One question, read for itself; or several that are the same.',
  sharedSeries: 'Questions that differ in their series alone.',
  groupingSets: 'Questions about the same rows in other buckets or groups.',
  predicateCounting: 'Questions that count the same rows by many filters.',
  careful: 'Metrics whose points need care, read again: senders restarted, or series began or had gaps.',
} as const;

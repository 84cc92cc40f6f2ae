/** Where tables of metrics keep the hash that distinguishes attribute sets. */
export const attributeSetColumn = 'AttributeSet';

/** Where a table keeps the bounds of each point as a text of few different ones: far cheaper than arrays. */
export const bucketLayoutColumn = 'BucketLayout';

import { type Static, Type } from 'typebox';

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

const listOf = (texts: Readonly<Record<string, string>>): string =>
  Object.entries(texts)
    .map(([name, text]) => `${name}: ${text}`)
    .join(' ');
const namesOf = <Name extends string>(texts: Readonly<Record<Name, string>>): Name[] => {
  // The keys of a literal are its names.
  return Object.keys(texts) as Name[];
};

/** A statement that ran for a chart. */
export const ExplainedStatementSchema = Type.Object(
  {
    mechanism: Type.Enum(namesOf(mechanisms), { description: listOf(mechanisms) }),
    reason: Type.String({ description: 'Why this mechanism was chosen.' }),
    questions: Type.Integer({ description: 'How many questions of this request the statement was to answer.' }),
    techniques: Type.Array(Type.Enum(namesOf(techniques)), { description: listOf(techniques) }),
    sql: Type.String({ description: 'The statement, with placeholders for the values.' }),
    parameters: Type.Record(Type.String(), Type.String(), { description: 'Values of the placeholders.' }),
    rowsRead: Type.Integer(),
    bytesRead: Type.Integer(),
    elapsedMs: Type.Number({ description: 'Time in the store.' }),
  },
  { title: 'ExplainedStatement' },
);
export type ExplainedStatement = Static<typeof ExplainedStatementSchema>;

/** How the series of a chart that read one source, of metrics one metric, were answered. */
export const ExplainedReadSchema = Type.Object(
  {
    source: Type.String({ description: 'Name of the source.' }),
    series: Type.Array(Type.Integer(), { description: 'Which series of the request these are, from 0.' }),
    cache: Type.Enum(['hit', 'partial', 'miss', 'off'] as const),
    rememberedBuckets: Type.Integer({ description: 'Buckets that were remembered and not read again.' }),
    statements: Type.Array(ExplainedStatementSchema, {
      description: 'All that ran, also in vain; none when all buckets were remembered.',
    }),
  },
  { title: 'ExplainedRead' },
);
export type ExplainedRead = Static<typeof ExplainedReadSchema>;

export const ExplainSchema = Type.Optional(
  Type.Boolean({
    description:
      'True: `meta.explain` tells how the answer of a chart was read, statement by statement. Lists of events and texts have none.',
  }),
);

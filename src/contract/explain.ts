import { type Static, Type } from 'typebox';
import { mechanisms, techniques } from './explain-texts.ts';

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
    queries: Type.Integer({ description: 'Number of queries of this request that the statement answers.' }),
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
    series: Type.Array(Type.Integer(), { description: 'Indexes of the series in the request, from 0.' }),
    cachedBuckets: Type.Integer({
      description: 'Buckets of this answer in the cache; without `explain` they would not have been read again.',
    }),
    statements: Type.Array(ExplainedStatementSchema, {
      description: 'All statements that ran, including those whose result was not used.',
    }),
  },
  { title: 'ExplainedRead' },
);
export type ExplainedRead = Static<typeof ExplainedReadSchema>;

export const ExplainSchema = Type.Optional(
  Type.Boolean({
    description:
      'If true, `meta.explain` reports each statement that was run for a chart. The bucket cache is bypassed. Event lists and markdown have no `explain`.',
  }),
);

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
    questions: Type.Integer({ description: 'Number of queries of this request that the statement answers.' }),
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
    rememberedBuckets: Type.Integer({
      description: 'Buckets that are remembered: without `explain` they would not have been read.',
    }),
    statements: Type.Array(ExplainedStatementSchema, { description: 'All that ran, also in vain.' }),
  },
  { title: 'ExplainedRead' },
);
export type ExplainedRead = Static<typeof ExplainedReadSchema>;

export const ExplainSchema = Type.Optional(
  Type.Boolean({
    description:
      'True: `meta.explain` reports how the answer of a chart was read, statement by statement; all of it is read, remembered or not. Lists of events and texts have none.',
  }),
);

import { type Static, Type } from 'typebox';
import { sourceInputByKind } from './source.ts';

const Table = Type.Optional(
  Type.String({ minLength: 1, maxLength: 1024, description: 'One of the tables of the pipe, where it has several.' }),
);

export const PipeSourceQuerySchema = Type.Object({ table: Table });

const { kind: _log, connection: _connection, from: _from, ...logFields } = sourceInputByKind.log.properties;
const { kind: _trace, connection: _other, from: _place, ...traceFields } = sourceInputByKind.trace.properties;

/** What the source of a pipe's table is made of: as a source of logs or traces is, without its place. */
export const PipeSourceInputSchema = Type.Object(
  {
    table: Table,
    kind: Type.Enum(['log', 'trace']),
    ...Type.Partial(Type.Object(traceFields)).properties,
    ...logFields,
  },
  { title: 'PipeSourceInput' },
);

const text = Type.Optional(Type.String());

/** Guessed from the columns of the table; fields that no column is like are absent. */
const PipeSourceGuessSchema = Type.Object(
  {
    kind: Type.Enum(['log', 'trace']),
    name: Type.String(),
    timestampValueExpression: Type.String(),
    defaultTableSelectExpression: Type.String(),
    serviceNameExpression: text,
    severityTextExpression: text,
    bodyExpression: text,
    implicitColumnExpression: text,
    eventAttributesExpression: text,
    resourceAttributesExpression: text,
    traceIdExpression: text,
    spanIdExpression: text,
    tableFilterExpression: text,
    durationExpression: text,
    parentSpanIdExpression: text,
    spanNameExpression: text,
    spanKindExpression: text,
    statusCodeExpression: text,
    statusMessageExpression: text,
  },
  { title: 'PipeSourceGuess', additionalProperties: false },
);
export type PipeSourceGuess = Static<typeof PipeSourceGuessSchema>;

export const PipeSourceProposalSchema = Type.Object(
  {
    table: Type.String(),
    tables: Type.Array(Type.String(), { description: 'All tables of the pipe.' }),
    columns: Type.Array(Type.Object({ name: Type.String(), type: Type.String() })),
    source: Type.Optional(PipeSourceGuessSchema),
    reason: Type.Optional(Type.String({ description: 'Why the table cannot be a source; absent if it can.' })),
    hint: Type.Optional(Type.String({ description: 'What to know about the rows of the table.' })),
    sources: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'Sources that read the table already.',
    }),
  },
  { title: 'PipeSourceProposal', additionalProperties: false },
);
export type PipeSourceProposal = Static<typeof PipeSourceProposalSchema>;

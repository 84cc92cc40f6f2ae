import { type Static, Type } from 'typebox';
import { TimestampSchema, UuidSchema } from './identifiers.ts';
import { pipeStates } from './pipe.ts';

const state = Type.Enum(pipeStates);
const count = Type.Integer({ minimum: 0 });

const command = Type.Enum(['start', 'stop', 'resync']);

export const PipeCommandSchema = Type.Object({ command }, { title: 'PipeCommand', additionalProperties: false });

const doing = {
  state: Type.String(),
  reason: Type.Optional(Type.String({ description: 'Why the pipe is in this state.' })),
  since: TimestampSchema,
  rows: count,
  bytes: Type.Integer({ minimum: 0, description: 'Of the source, as they arrived.' }),
  errors: Type.Integer({ minimum: 0, description: 'Records that did not fit, in the error table.' }),
  lastSuccessAt: Type.Optional(TimestampSchema),
  lagMs: Type.Optional(Type.Number({ description: 'How far the pipe is behind its source, by the last look.' })),
  lagRecords: Type.Optional(
    Type.Integer({ minimum: 0, description: 'The same in records, of sources that count them.' }),
  ),
};

/** How one pipe of many is doing. */
export const PipeSummarySchema = Type.Object(
  { id: UuidSchema, name: Type.String(), ...doing },
  { title: 'PipeSummary', additionalProperties: false },
);
export type PipeSummary = Static<typeof PipeSummarySchema>;

/** How a pipe is doing, beyond the fields of the seed. */
export const PipeStatusSchema = Type.Object(
  {
    ...doing,
    commands: Type.Array(command, { description: 'What is possible in this state.' }),
    changes: Type.Array(
      Type.Object(
        {
          at: TimestampSchema,
          state,
          reason: Type.Optional(Type.String()),
          by: Type.Enum(['client', 'supervisor']),
        },
        { title: 'PipeChange', additionalProperties: false },
      ),
      { description: 'The latest changes of state, newest first.' },
    ),
  },
  { title: 'PipeStatus', additionalProperties: false },
);
export type PipeStatus = Static<typeof PipeStatusSchema>;

import { type Static, Type } from 'typebox';
import { TimestampSchema } from './identifiers.ts';

/** Records that one answer lists at most. */
export const pipeErrorsMax = 1_000;
/** Characters of a record that are shown. */
export const recordCharsShown = 4_096;

export const PipeErrorsQuerySchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pipeErrorsMax, description: 'Default: 100.' })),
});

/** A record that did not fit the table of its pipe. */
export const PipeErrorSchema = Type.Object(
  {
    at: TimestampSchema,
    table: Type.String({ description: 'The table that did not take it.' }),
    position: Type.String({ description: 'Where in the source it is: an object and line, or partition and offset.' }),
    reason: Type.String(),
    record: Type.String({ description: `Its first ${recordCharsShown} characters, as the source has them.` }),
    recordChars: Type.Integer({ minimum: 0, description: 'Characters of the record that are kept.' }),
  },
  { title: 'PipeError', additionalProperties: false },
);
export type PipeError = Static<typeof PipeErrorSchema>;

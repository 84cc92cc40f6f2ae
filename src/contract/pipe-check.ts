import { type Static, Type } from 'typebox';
import { NewPipeSchema } from './pipe-input.ts';

/** The source to look at; the rest of a pipe may be absent, and is not checked. */
export const PipeCheckInputSchema = Type.Object(
  { ...Type.Partial(NewPipeSchema).properties },
  { title: 'PipeCheckInput', additionalProperties: false },
);

/** Names that are listed at most. */
export const namesMax = 1_000;

export const PipeCheckSchema = Type.Object(
  {
    ok: Type.Boolean({ description: 'Whether the source can be reached and read as it is described.' }),
    message: Type.Optional(Type.String({ description: 'Why not, and what would help.' })),
    names: Type.Optional(
      Type.Array(Type.String(), {
        description: `What the source has, in order: tables as schema.table, topics, or objects; the first ${namesMax}.`,
      }),
    ),
  },
  { title: 'PipeCheck', additionalProperties: false },
);
export type PipeCheck = Static<typeof PipeCheckSchema>;

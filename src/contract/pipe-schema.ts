import { type Static, Type } from 'typebox';

/** What records of a source have, as clients of the managed product ask for it before they make a pipe. */
export const PipeSchemaSchema = Type.Object(
  {
    fields: Type.Array(
      Type.Object(
        {
          name: Type.String(),
          type: Type.String({ description: 'A type of ClickHouse that holds every value that was seen.' }),
          optional: Type.Boolean({ description: 'Whether a record may lack it; also true where that is not known.' }),
        },
        { title: 'PipeSchemaField', additionalProperties: false },
      ),
      { description: 'In the order in which the records have them; empty if the source has no record yet.' },
    ),
    meta: Type.Record(Type.String(), Type.String(), {
      description: '`sampledRecords`: how many records were looked at.',
    }),
  },
  { title: 'PipeSchema', additionalProperties: false },
);
export type PipeSchema = Static<typeof PipeSchemaSchema>;

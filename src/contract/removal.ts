import { Type } from 'typebox';

/** Query of a DELETE that refuses what is in use. */
export const RemovalQuerySchema = Type.Object({
  force: Type.Optional(
    Type.Boolean({ description: 'True: removes it although something uses it. False when absent.' }),
  ),
});

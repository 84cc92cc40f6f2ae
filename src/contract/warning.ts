import { type Static, Type } from 'typebox';

/** One of `meta.warnings`: something was answered, but needs a look. */
export const WarningSchema = Type.Object(
  {
    path: Type.String({
      description:
        'Path in the request (`series.0`, `config.select.0`), or position in the returned list; may be empty.',
    }),
    message: Type.String(),
  },
  { title: 'Warning' },
);
export type Warning = Static<typeof WarningSchema>;

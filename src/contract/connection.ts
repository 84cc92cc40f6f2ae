import { type Static, Type } from 'typebox';
import { TimestampSchema } from './identifiers.ts';

const text = (maxLength: number) => Type.String({ maxLength });

/** Body of create and of replace. */
export const ConnectionInputSchema = Type.Object(
  {
    name: text(1024),
    host: Type.String({ maxLength: 2048, description: 'URL of the HTTP interface.' }),
    username: text(1024),
    password: Type.Optional(
      Type.String({
        maxLength: 4096,
        description: 'Never returned; omitting it or sending it empty keeps the stored one.',
      }),
    ),
    hyperdxSettingPrefix: Type.Optional(
      Type.Union([Type.String({ pattern: '^[A-Za-z0-9_]*$', maxLength: 128 }), Type.Null()], {
        description: 'Empty or null clears it, omitting it keeps it.',
      }),
    ),
    isPrometheusEndpoint: Type.Optional(Type.Boolean({ description: 'Omitting it keeps the stored one.' })),
    prometheusEndpoint: Type.Optional(
      Type.Unsafe<string | null>({
        type: ['string', 'null'],
        maxLength: 2048,
        description:
          'Address of a PromQL API, for clients that read the connection; Signalbox does not use it. Empty or null clears it, omitting it keeps it.',
      }),
    ),
  },
  { title: 'ConnectionInput' },
);
export type ConnectionInput = Static<typeof ConnectionInputSchema>;

/** A connection as returned: never with its password. */
export const ConnectionSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    host: Type.String(),
    username: Type.String(),
    hyperdxSettingPrefix: Type.Optional(Type.String()),
    isPrometheusEndpoint: Type.Optional(Type.Boolean()),
    prometheusEndpoint: Type.Optional(Type.String()),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  { title: 'Connection' },
);
export type ConnectionRecord = Static<typeof ConnectionSchema>;

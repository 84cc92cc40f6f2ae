import { type Static, Type } from 'typebox';
import { DashboardSchema } from './dashboard.ts';
import { limits } from './limits.ts';

/** Every limit on an import beside those of a dashboard; size and depth are limited for every body. */
export const importLimits = {
  tiles: 2000,
  references: 1000,
  keyLength: 2048,
  statementLength: limits.sqlLength,
} as const;

const id = Type.String({ maxLength: 64 });
const keys = Type.Optional(
  Type.Record(Type.String({ maxLength: importLimits.keyLength }), id, { maxProperties: importLimits.references }),
);

export const DashboardImportRequestSchema = Type.Object(
  {
    document: Type.Unknown({
      description:
        'What was exported: a dashboard of this API, an export of HyperDX, a dashboard of its first API (`charts`), or a Grafana dashboard whose panels read ClickHouse.',
    }),
    mapping: Type.Optional(
      Type.Object(
        { sources: keys, connections: keys },
        {
          description:
            'Ids of this installation by the `key` of the references. Names and tables that exist are found.',
        },
      ),
    ),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: limits.nameLength, description: 'Instead of the name in the document.' }),
    ),
  },
  { title: 'DashboardImportRequest' },
);
export type DashboardImportRequest = Static<typeof DashboardImportRequestSchema>;

export const importFormats = ['signalbox', 'hyperdx', 'hyperdx-charts', 'grafana'] as const;
export type ImportFormat = (typeof importFormats)[number];

/** A source or connection that the document names. */
export const ImportReferenceSchema = Type.Object(
  {
    kind: Type.Enum(['source', 'connection'] as const),
    key: Type.String({ description: 'What `mapping` calls it.' }),
    name: Type.String(),
    uses: Type.Integer({ description: 'How often the document names it.' }),
    id: Type.Union([Type.String(), Type.Null()], { description: 'What it is here; null: nothing yet.' }),
    optional: Type.Optional(Type.Literal(true, { description: 'What refers to it is taken over without it, too.' })),
  },
  { title: 'ImportReference' },
);
export type ImportReference = Static<typeof ImportReferenceSchema>;

/** What is not taken over, or not as it was, and why. */
export const ImportNoteSchema = Type.Object(
  {
    kind: Type.Enum(['left_out', 'changed'] as const),
    subject: Type.String({ description: 'Which part of the document.' }),
    message: Type.String(),
  },
  { title: 'ImportNote' },
);
export type ImportNote = Static<typeof ImportNoteSchema>;

export const DashboardImportPreviewSchema = Type.Object(
  {
    format: Type.Enum(importFormats),
    references: Type.Array(ImportReferenceSchema),
    notes: Type.Array(ImportNoteSchema),
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() }), {
      description: 'Why it can’t be stored at all; a tile that can’t is in `notes`.',
    }),
    dashboard: Type.Union([DashboardSchema, Type.Null()], {
      description: 'What would be stored; its ids are not assigned yet. null: nothing, see `errors`.',
    }),
  },
  { title: 'DashboardImportPreview' },
);
export type DashboardImportPreview = Static<typeof DashboardImportPreviewSchema>;

export const ImportMetaSchema = Type.Object({ notes: Type.Array(ImportNoteSchema) }, { title: 'ImportMeta' });

const named = { id: Type.String(), name: Type.String() };

/** A dashboard with the names of what it refers to, so that another installation can map them. */
export const DashboardExportSchema = Type.Object(
  {
    ...DashboardSchema.properties,
    references: Type.Object({
      sources: Type.Array(Type.Object({ ...named, kind: Type.String() })),
      connections: Type.Array(Type.Object(named)),
      dashboards: Type.Array(Type.Object(named)),
    }),
  },
  { title: 'DashboardExport' },
);
export type DashboardExport = Static<typeof DashboardExportSchema>;

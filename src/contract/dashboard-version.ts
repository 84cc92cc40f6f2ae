import { type Static, Type } from 'typebox';
import { DashboardSchema } from './dashboard.ts';

const By = Type.Optional(
  Type.String({
    description:
      'Id of the user, or of the key if it belongs to no user; `provisioning`, `command-line` or `signalbox` where it was no person. Absent if it was not kept.',
  }),
);

const versionFields = {
  version: Type.Integer({ description: 'Grows by one with each save; the ETag.' }),
  savedAt: Type.Optional(Type.String({ format: 'date-time', description: 'Absent if it was not kept.' })),
  by: By,
  summary: Type.Optional(Type.String({ description: 'What changed from the version before.' })),
};

/** Extension: an entry of `GET /dashboards/{id}/versions`. */
export const DashboardVersionSchema = Type.Object(versionFields, { title: 'DashboardVersion' });
export type DashboardVersionRecord = Static<typeof DashboardVersionSchema>;

/** Extension: one version with its content. */
export const PastDashboardSchema = Type.Object(
  {
    ...versionFields,
    dashboard: DashboardSchema,
    deletedAlerts: Type.Array(Type.String(), {
      description: 'Ids of the alerts that restoring this version would delete: those of tiles that it does not have.',
    }),
  },
  { title: 'PastDashboard' },
);
export type PastDashboardRecord = Static<typeof PastDashboardSchema>;

/** Extension: an entry of `GET /deleted-dashboards`. */
export const DeletedDashboardSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    deletedAt: Type.String({ format: 'date-time' }),
    by: Type.String({ description: 'Id of the user, or of the key if it belongs to no user.' }),
    alertCount: Type.Integer({ description: 'How many alerts were deleted with it.' }),
    keptUntil: Type.String({ format: 'date-time', description: 'It can be restored until then.' }),
  },
  { title: 'DeletedDashboard' },
);
export type DeletedDashboardRecord = Static<typeof DeletedDashboardSchema>;

/** `meta` of a restored dashboard; what there is none of is absent. */
export const UndeletionMetaSchema = Type.Object(
  {
    restoredAlerts: Type.Optional(Type.Array(Type.String(), { description: 'Ids of the alerts that are back.' })),
    lostAlerts: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Ids of the alerts that are not, because none of their webhooks exists any more.',
      }),
    ),
  },
  { title: 'UndeletionMeta' },
);
export type UndeletionMeta = Static<typeof UndeletionMetaSchema>;

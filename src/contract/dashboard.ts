import { type Static, Type } from 'typebox';
import { DashboardFilterInputSchema, DashboardFilterSchema } from './dashboard-filter.ts';
import { limits } from './limits.ts';
import { rejectedKey } from './rejected-key.ts';
import { TileInputSchema, TileSchema } from './tile.ts';

const name = Type.String({ minLength: 1, maxLength: limits.nameLength });
const tags = Type.Array(Type.String({ maxLength: limits.tagLength }), { maxItems: limits.tags });
const containerId = Type.String({ minLength: 1, maxLength: limits.containerIdLength });

export const ContainerSchema = Type.Object(
  {
    id: containerId,
    title: Type.String({ minLength: 1, maxLength: limits.containerIdLength }),
    collapsed: Type.Boolean(),
    collapsible: Type.Optional(Type.Boolean()),
    bordered: Type.Optional(Type.Boolean()),
    tabs: Type.Optional(
      Type.Array(
        Type.Object({ id: containerId, title: Type.String({ minLength: 1, maxLength: limits.containerIdLength }) }),
        { maxItems: limits.tabs },
      ),
    ),
  },
  { title: 'Container' },
);
export type Container = Static<typeof ContainerSchema>;

const SavedFilterValueSchema = Type.Object(
  {
    type: Type.Optional(Type.Literal('sql')),
    condition: Type.String({ maxLength: limits.expressionLength }),
  },
  { title: 'SavedFilterValue' },
);
export type SavedFilterValue = Static<typeof SavedFilterValueSchema>;

const queryLanguage = Type.Union([Type.Enum(['lucene', 'sql'] as const), Type.Null()]);
const extensions = {
  savedQuery: Type.Optional(Type.Union([Type.String({ maxLength: limits.expressionLength }), Type.Null()])),
  savedQueryLanguage: Type.Optional(queryLanguage),
  savedFilterValues: Type.Optional(Type.Array(SavedFilterValueSchema, { maxItems: limits.savedFilterValues })),
  containers: Type.Optional(Type.Array(ContainerSchema, { maxItems: limits.containers })),
};

/** A dashboard as stored and returned. Absent stays absent (decisions D5). */
export const DashboardSchema = Type.Object(
  {
    id: Type.String(),
    name,
    tags,
    tiles: Type.Array(TileSchema, { maxItems: limits.tiles }),
    filters: Type.Optional(Type.Array(DashboardFilterSchema, { maxItems: limits.filters })),
    ...extensions,
  },
  { title: 'Dashboard' },
);
export type Dashboard = Static<typeof DashboardSchema>;

const inputFields = {
  charts: rejectedKey('is the form of the first HyperDX API; POST /dashboards/import takes it, here send tiles'),
  tags: Type.Optional(tags),
  tiles: Type.Optional(Type.Array(TileInputSchema, { maxItems: limits.tiles })),
  filters: Type.Optional(Type.Array(DashboardFilterInputSchema, { maxItems: limits.filters })),
  ...extensions,
};

/** POST: only `name` is required (decisions D5). */
export const CreateDashboardSchema = Type.Object({ name, ...inputFields }, { title: 'CreateDashboard' });
export type CreateDashboard = Static<typeof CreateDashboardSchema>;

/** PUT: everything optional; omitted = unchanged (seed §Update dashboard, decisions D3). */
export const UpdateDashboardSchema = Type.Object(
  { name: Type.Optional(name), ...inputFields },
  { title: 'UpdateDashboard' },
);
export type UpdateDashboard = Static<typeof UpdateDashboardSchema>;

/** Result of POST /dashboards/validate (decisions D10). */
export const DashboardValidationSchema = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(Type.Object({ path: Type.String(), message: Type.String() })),
    normalized: Type.Union([Type.Unsafe<object>({ type: 'object' }), Type.Null()]),
    deletedAlerts: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'Ids of the alerts that this update would delete: those of removed tiles, and of tiles that would become a kind that no alert can watch. Absent if there are none.',
      }),
    ),
  },
  { title: 'DashboardValidation' },
);
export type DashboardValidation = Static<typeof DashboardValidationSchema>;

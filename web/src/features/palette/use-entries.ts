import { useQueries, useQuery } from '@tanstack/react-query';
import { useSession } from '../../api/session.ts';
import { basePath, flavour, service } from '../../boot.ts';
import { servicePagesPath } from '../../service-place.ts';
import { sections } from '../../ui/sections.ts';
import { alertsQuery } from '../alerts/alert-queries.ts';
import { useWatchedNames } from '../alerts/use-watched-names.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { useFavourites } from '../dashboards/favourite-queries.ts';
import { type Organization, servicesQuery, useOrganizations } from '../organizations/organization-queries.ts';
import { savedSearchesQuery } from '../search/saved-search-queries.ts';
import { type SourceRecord, useSources, valuesQuery } from '../where-editor/source-queries.ts';
import {
  alertEntry,
  cloudServiceEntry,
  dashboardEntry,
  organizationEntry,
  type PaletteEntry,
  pageEntry,
  savedSearchEntry,
  serviceEntry,
  tracedServiceEntry,
  wayOutEntry,
} from './palette-entry.ts';

const pages = sections.map(({ label, to }) => pageEntry(label, to));
const account = pageEntry('Account', '/account');

/** Everything that the palette can lead to from the pages of this document. */
export const useEntries =
  flavour === 'self-hosted' ? useTelemetryEntries : service ? useServicePagesEntries : useOrganizationEntries;

export interface Entries {
  entries: readonly PaletteEntry[];
  /** Paths of what the person wants at hand. */
  favourites: ReadonlySet<string>;
  /** Some are not known yet. */
  isLoading: boolean;
}

const staleTime = 30_000;
const noPaths: ReadonlySet<string> = new Set();

function useTelemetryEntries(): Entries {
  const dashboards = useQuery({ ...dashboardsQuery, staleTime });
  const alerts = useQuery({ ...alertsQuery, refetchInterval: false, staleTime });
  const searches = useQuery(savedSearchesQuery);
  const favouriteIds = useFavourites();
  const services = useTracedServices();
  const { watched } = useWatchedNames();
  const entries = [
    ...pages,
    pageEntry('New alert', '/alerts/new'),
    pageEntry('New source', '/sources/new'),
    pageEntry('Import a dashboard', '/dashboards/import'),
    account,
    ...(dashboards.data ?? []).map(dashboardEntry),
    ...(alerts.data ?? []).map((alert) => {
      const { label } = watched(alert);
      return alertEntry({ id: alert.id, name: alert.name ?? label }, alert.name ? label : '');
    }),
    ...(searches.data ?? []).map(savedSearchEntry),
    ...services,
  ];
  const favourites = new Set([...favouriteIds].map((id) => `/dashboards/${id}`));
  return { entries, favourites, isLoading: dashboards.isPending || alerts.isPending || searches.isPending };
}

/** The services that the first source of traces and the first of logs have lately heard of. */
function useTracedServices(): PaletteEntry[] {
  const sources = useSources();
  const asked = ['trace', 'log'].flatMap((kind) => {
    const source = sources.find((each) => each.kind === kind && !each.disabled);
    return source ? [{ kind, sourceId: source.id, field: serviceField(source) }] : [];
  });
  const answers = useQueries({ queries: asked.map(({ sourceId, field }) => valuesQuery(sourceId, field, '')) });
  const known = new Map<string, PaletteEntry>();
  for (const [index, { kind, ...place }] of asked.entries()) {
    for (const { value } of answers[index]?.data ?? []) {
      if (value === '' || known.has(value)) continue;
      known.set(value, kind === 'trace' ? tracedServiceEntry(value, place.sourceId) : serviceEntry(value, place));
    }
  }
  return [...known.values()];
}

function serviceField(source: SourceRecord): string {
  const named = 'serviceNameExpression' in source ? source.serviceNameExpression : undefined;
  return named || 'ServiceName';
}

/** What a service has, and the ways to its organization and the other services there. */
function useServicePagesEntries(): Entries {
  const ofTelemetry = useTelemetryEntries();
  const organizations = useSession()?.organizations ?? [];
  const services = useCloudServices(organizations);
  const entries = [
    ...ofTelemetry.entries,
    pageEntry('New pipe', '/pipes/new'),
    ...organizations.map((each) => wayOutEntry(each, `${basePath}organizations/${each.id}`)),
    ...services.entries,
  ];
  return { ...ofTelemetry, entries, isLoading: ofTelemetry.isLoading || services.isLoading };
}

function useOrganizationEntries(): Entries {
  const organizations = useOrganizations();
  const known = organizations.data ?? [];
  const services = useCloudServices(known);
  const entries = [...pages, account, ...known.map(organizationEntry), ...services.entries];
  return { entries, favourites: noPaths, isLoading: organizations.isPending || services.isLoading };
}

function useCloudServices(organizations: readonly Organization[]): Pick<Entries, 'entries' | 'isLoading'> {
  const lists = useQueries({ queries: organizations.map(({ id }) => servicesQuery(id)) });
  const entries = organizations.flatMap((organization, index) =>
    (lists[index]?.data ?? [])
      .filter(({ id }) => id !== service?.serviceId.toLowerCase())
      .map((each) => cloudServiceEntry(each, organization, servicePagesPath(basePath, organization.id, each.id))),
  );
  return { entries, isLoading: lists.some(({ isPending }) => isPending) };
}

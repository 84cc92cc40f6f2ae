import { linkOptions } from '@tanstack/react-router';
import { servicePagesPath } from '../../service-place.ts';
import { lucenePhrase } from '../search/where-clause.ts';
import { rankOf } from './name-match.ts';
import { traceOf } from './trace-of.ts';

export type EntryKind =
  | 'Page'
  | 'Dashboard'
  | 'Alert'
  | 'Saved search'
  | 'Service'
  | 'Trace'
  | 'Events'
  | 'Organization';

/** A place that the palette leads to. */
export interface PaletteEntry {
  kind: EntryKind;
  label: string;
  /** Where it is, if the label does not say so. */
  hint?: string | undefined;
  /** Its address without what is after the `?`; recent places are known by it. */
  path: string;
  link: EntryLink | DocumentLink;
}

const links = {
  dashboard: (dashboardId: string) => linkOptions({ to: '/dashboards/$dashboardId', params: { dashboardId } }),
  alert: (alertId: string) => linkOptions({ to: '/alerts/$alertId', params: { alertId } }),
  savedSearch: (savedSearchId: string) => linkOptions({ to: '/search/$savedSearchId', params: { savedSearchId } }),
  trace: (traceId: string, span: string | undefined) =>
    linkOptions({ to: '/traces/$traceId', params: { traceId }, search: { span } }),
  search: (where: string, source: string | undefined) =>
    linkOptions({ to: '/search', search: { where, lang: 'lucene', source } }),
  organization: (organizationId: string) =>
    linkOptions({ to: '/organizations/$organizationId', params: { organizationId } }),
  tracedService: (service: string, source: string) =>
    linkOptions({ to: '/services/$service', params: { service }, search: { source } }),
  page: <const To extends PagePath>(to: To) => linkOptions({ to }),
};

type PagePath =
  | '/dashboards'
  | '/dashboards/import'
  | '/search'
  | '/services'
  | '/alerts'
  | '/alerts/new'
  | '/silences'
  | '/webhooks'
  | '/sources'
  | '/sources/new'
  | '/start'
  | '/settings'
  | '/account'
  | '/organizations'
  | '/pipes'
  | '/pipes/new'
  | '/';

type EntryLink = ReturnType<(typeof links)[keyof typeof links]>;

/** Leads from organizations into a service, or out of it: the path of another document. */
interface DocumentLink {
  document: string;
}

export function pageEntry(label: string, to: PagePath): PaletteEntry {
  return { kind: 'Page', label, path: to, link: links.page(to) };
}

interface Named {
  id: string;
  name: string;
}

export function dashboardEntry({ id, name, tags }: Named & { tags: readonly string[] }): PaletteEntry {
  return {
    kind: 'Dashboard',
    label: name,
    hint: tags.join(', '),
    path: `/dashboards/${id}`,
    link: links.dashboard(id),
  };
}

export function alertEntry({ id, name }: Named, hint: string): PaletteEntry {
  return { kind: 'Alert', label: name, hint, path: `/alerts/${id}`, link: links.alert(id) };
}

export function savedSearchEntry({ id, name }: Named): PaletteEntry {
  return { kind: 'Saved search', label: name, path: `/search/${id}`, link: links.savedSearch(id) };
}

/** Leads to the page of a service that sends spans. */
export function tracedServiceEntry(name: string, sourceId: string): PaletteEntry {
  return {
    kind: 'Service',
    label: name,
    path: `/services/${encodeURIComponent(name)}`,
    link: links.tracedService(name, sourceId),
  };
}

/** Leads to the events of a service that sends logs alone. */
export function serviceEntry(name: string, { field, sourceId }: { field: string; sourceId: string }): PaletteEntry {
  const link = links.search(`${field}:${lucenePhrase(name)}`, sourceId);
  return { kind: 'Service', label: name, path: `/search?service=${encodeURIComponent(name)}`, link };
}

export function organizationEntry({ id, name }: Named): PaletteEntry {
  return { kind: 'Organization', label: name, path: `/organizations/${id}`, link: links.organization(id) };
}

/** A service of the managed flavour; `pagesPath` is where its pages are. */
export function cloudServiceEntry({ id, name }: Named, organization: Named, pagesPath: string): PaletteEntry {
  const path = servicePagesPath('/', organization.id, id);
  return { kind: 'Service', label: name, hint: organization.name, path, link: { document: pagesPath } };
}

/** From a service to the page of its organization. */
export function wayOutEntry({ id, name }: Named, document: string): PaletteEntry {
  return { kind: 'Organization', label: name, path: `/organizations/${id}`, link: { document } };
}

export function traceEntry(traceId: string, spanId?: string): PaletteEntry {
  return { kind: 'Trace', label: traceId, path: `/traces/${traceId}`, link: links.trace(traceId, spanId) };
}

export function eventsEntry(text: string): PaletteEntry {
  const link = links.search(lucenePhrase(text), undefined);
  return { kind: 'Events', label: `Search events for “${text}”`, path: '/search?where', link };
}

export interface EntryGroup {
  label: string;
  entries: readonly PaletteEntry[];
}

/** More are not read by anyone; who wants another types more. */
const foundMax = 30;
const recentMax = 7;

export interface Known {
  /** All of them, in the order in which equals are listed. */
  entries: readonly PaletteEntry[];
  /** Paths of what the person wants at hand. */
  favourites: ReadonlySet<string>;
  /** Paths, the last visited first. */
  recent: readonly string[];
  /** Where the person is. */
  here: string;
  /** Whether there are traces and events to look for. */
  hasEvents: boolean;
}

/** What is offered for what is typed: recent places and pages for nothing, the best first for text. */
export function offered(typed: string, known: Known): EntryGroup[] {
  const text = typed.trim();
  const trace = known.hasEvents ? traceOf(text) : undefined;
  if (trace) return [{ label: 'Trace', entries: [traceEntry(trace.traceId, trace.spanId)] }];
  const recent = recentEntries(known);
  if (text === '') {
    const recentShown = new Set(recent.slice(0, recentMax));
    const others = known.entries.filter((entry) => !recentShown.has(entry) && entry.path !== known.here);
    const favourites = others.filter(({ path }) => known.favourites.has(path)).slice(0, recentMax);
    const pages = others.filter(({ kind }) => kind === 'Page');
    return [
      { label: 'Recent', entries: [...recentShown] },
      { label: 'Favourites', entries: favourites },
      { label: 'Pages', entries: pages },
    ].filter(({ entries }) => entries.length > 0);
  }
  const found = bestOf(text, [...new Set([...recent, ...known.entries])]);
  const entries = known.hasEvents ? [...found, eventsEntry(text)] : found;
  return entries.length === 0 ? [] : [{ label: 'Results', entries }];
}

function bestOf(text: string, entries: readonly PaletteEntry[]): PaletteEntry[] {
  const ranked = entries.flatMap((entry) => {
    const rank =
      rankOf(text, entry.label) ?? laterRank(rankOf(text, `${entry.label} ${entry.hint ?? ''} ${entry.kind}`));
    return rank === undefined ? [] : [{ entry, rank }];
  });
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, foundMax)
    .map(({ entry }) => entry);
}

/** What is found only with its tags or its kind comes after what has the text in its name. */
function laterRank(rank: number | undefined): number | undefined {
  return rank === undefined ? undefined : rank + 10;
}

/** Places visited before this one that still exist. */
function recentEntries({ entries, recent, here }: Known): PaletteEntry[] {
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  return recent.flatMap((path) => {
    if (path === here) return [];
    const trace = path.startsWith('/traces/') ? traceOf(path.slice('/traces/'.length)) : undefined;
    const entry = trace ? traceEntry(trace.traceId) : byPath.get(path);
    return entry ? [entry] : [];
  });
}

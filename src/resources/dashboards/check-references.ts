import type { Problem } from '../../contract/problem.ts';
import { isSqlConfig, type TileConfig } from '../../contract/tile-config.ts';
import type { ChangedTile } from './check-dashboard.ts';
import type { Dashboard } from './dashboard.ts';
import type { KnownSource } from './source-lookup.ts';

export interface Reference {
  kind: 'source' | 'connection' | 'dashboard';
  id: string;
  path: string;
  /** What a source must be beside existing; answers the reason why it is not. */
  validate?: (source: KnownSource) => string | undefined;
}

/** What exists within the tenant. */
export interface KnownObjects {
  sources: ReadonlyMap<string, KnownSource>;
  connections: ReadonlySet<string>;
  dashboards: ReadonlySet<string>;
}

/** Everything that the tiles which changed, and the filters, point to. */
export function referencesOf({ filters = [] }: Dashboard, changed: readonly ChangedTile[]): Reference[] {
  const inTiles = changed.flatMap(({ tile, index }) => {
    const series = (tile.series ?? []).flatMap(({ sourceId }, at) => source(sourceId, `series.${at}.sourceId`));
    const config = tile.config ? referencesOfConfig(tile.config) : [];
    return [...series, ...config].map((reference) => ({ ...reference, path: `tiles.${index}.${reference.path}` }));
  });
  const inFilters = filters.flatMap(({ sourceId, appliesToSourceIds = [] }, index) => [
    ...source(sourceId, `filters.${index}.sourceId`),
    ...appliesToSourceIds.flatMap((id, at) => source(id, `filters.${index}.appliesToSourceIds.${at}`)),
  ]);
  return [...inTiles, ...inFilters];
}

function source(id: string | undefined, path: string, validate?: Reference['validate']): Reference[] {
  return id === undefined ? [] : [{ kind: 'source', id, path, ...(validate && { validate }) }];
}

function referencesOfConfig(config: TileConfig): Reference[] {
  const click = 'onClick' in config ? referencesOfClick(config.onClick) : [];
  if (isSqlConfig(config)) {
    const { connectionId } = config;
    const sameConnection = (known: KnownSource) =>
      known.connectionId === connectionId ? undefined : 'belongs to another connection than connectionId';
    return [
      { kind: 'connection', id: connectionId, path: 'config.connectionId' },
      ...source(config.sourceId, 'config.sourceId', sameConnection),
      ...click,
    ];
  }
  // Markdown has no source; all others do.
  const { sourceId } = config as { sourceId?: string };
  return [...source(sourceId, 'config.sourceId', kindRule(config)), ...click];
}

function kindRule(config: TileConfig): Reference['validate'] | undefined {
  if (config.displayType === 'heatmap') return ofKinds(['trace'], 'a heatmap');
  if ('formulas' in config && config.formulas?.length) return ofKinds(['log', 'trace', 'metric'], 'a formula');
  return undefined;
}

function ofKinds(kinds: readonly string[], reader: string): Reference['validate'] {
  return ({ kind }) =>
    kinds.includes(kind) ? undefined : `${reader} needs a source of kind ${kinds.join(', ')}, not ${kind}`;
}

type OnClick = Extract<TileConfig, { onClick?: unknown }>['onClick'];

function referencesOfClick(click: OnClick): Reference[] {
  if (!click || click.type === 'external' || click.target.mode !== 'id') return [];
  const { id } = click.target;
  const path = 'config.onClick.target.id';
  if (click.type === 'dashboard') return [{ kind: 'dashboard', id, path }];
  return source(id, path, ofKinds(['log', 'trace'], 'a search'));
}

/** References to what does not exist, or is of the wrong kind. */
export function checkReferences(references: readonly Reference[], known: KnownObjects): Problem[] {
  return references.flatMap(({ kind, id, path, validate }) => {
    const missing = [{ path, message: `there is no ${kind} ${JSON.stringify(id)}` }];
    if (kind === 'connection') return known.connections.has(id) ? [] : missing;
    if (kind === 'dashboard') return known.dashboards.has(id) ? [] : missing;
    const found = known.sources.get(id);
    if (!found) return missing;
    const reason = validate?.(found);
    return reason === undefined ? [] : [{ path, message: reason }];
  });
}

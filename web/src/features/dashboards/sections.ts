import type { Container, Dashboard } from '../../../../src/contract/dashboard.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { UrlState } from '../../url-state.ts';

/** Where a tile is: below no heading, in a section, or in one of its tabs. Each of them has a grid. */
export interface TileGroup {
  containerId?: string;
  tabId?: string;
}

/** A section as it is looked at. */
export interface SectionView {
  container: Container;
  isOpen: boolean;
  /** The tab that is shown; absent without tabs. */
  tabId: string | undefined;
  /** Those of the tab that is shown, or all without tabs; also while it is collapsed. */
  tiles: Tile[];
}

type Boxes = Pick<Dashboard, 'containers' | 'tiles'>;

/** The group of a tile. One that refers to nothing is below no heading; one without a tab is in the first. */
export function groupOf({ containerId, tabId }: Tile, containers: readonly Container[] = []): TileGroup {
  const container = containers.find(({ id }) => id === containerId);
  if (!container) return {};
  const tabs = container.tabs ?? [];
  const tab = tabs.find(({ id }) => id === tabId) ?? tabs[0];
  return tab ? { containerId: container.id, tabId: tab.id } : { containerId: container.id };
}

export function tilesOf({ tiles, containers }: Boxes, { containerId, tabId }: TileGroup): Tile[] {
  return tiles.filter((tile) => {
    const group = groupOf(tile, containers);
    return group.containerId === containerId && group.tabId === tabId;
  });
}

/** The sections in their order, open or collapsed as the address says, or else as they are stored. */
export function sectionViews({ tiles, containers = [] }: Boxes, url: UrlState): SectionView[] {
  const highlighted = tiles.find(({ id }) => id === url.highlightedTileId);
  const wanted: TileGroup = highlighted ? groupOf(highlighted, containers) : {};
  return containers.map((container) => {
    const { id, tabs = [], collapsed, collapsible = true } = container;
    const said = url[openName(id)];
    const isWanted = wanted.containerId === id;
    const chosen = tabs.find((tab) => tab.id === (url[tabName(id)] ?? (isWanted ? wanted.tabId : undefined)));
    const tabId = (chosen ?? tabs[0])?.id;
    return {
      container,
      isOpen: !collapsible || (said === undefined ? isWanted || !collapsed : said === 'open'),
      tabId,
      tiles: tilesOf({ tiles, containers }, tabId === undefined ? { containerId: id } : { containerId: id, tabId }),
    };
  });
}

/** Every place that a tile can be moved to, with the names that people gave. */
export function groupsOf(containers: readonly Container[] = []): { group: TileGroup; label: string }[] {
  const inSections = containers.flatMap(({ id: containerId, title, tabs = [] }) =>
    tabs.length === 0
      ? [{ group: { containerId }, label: title }]
      : tabs.map((tab) => ({ group: { containerId, tabId: tab.id }, label: `${title} › ${tab.title}` })),
  );
  return [{ group: {}, label: 'No section' }, ...inSections];
}

const openName = (id: string) => `section-${id}` as const;
const tabName = (id: string) => `tab-${id}` as const;

/** The change of the address that opens or collapses a section. */
export function openInUrl({ id, collapsed }: Container, isOpen: boolean, url: UrlState): UrlState {
  // What is stored need not be said, unless a link to a tile opens it.
  const isStored = isOpen === !collapsed && url.highlightedTileId === undefined;
  return { [openName(id)]: isStored ? undefined : isOpen ? 'open' : 'closed' };
}

/** The change of the address that shows a tab. */
export function tabInUrl({ id }: Container, tabId: string): UrlState {
  return { [tabName(id)]: tabId };
}

import { Menu, UnstyledButton } from '@mantine/core';
import { IconArrowsDiff, IconBell, IconLink, IconListSearch } from '@tabler/icons-react';
import type { Tile } from '../../../../src/contract/tile.ts';
import { MenuItemLink } from '../../ui/links.tsx';
import { showDone } from '../../ui/notify.ts';
import { selectionUrl } from '../search/search-selection.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { useSources } from '../where-editor/source-queries.ts';
import { comparedWith, eventsOf, type Narrowing, patternsOf, type ShownPart } from './events-of.ts';
import { isAlertable } from './tile-look.ts';

/** A value that a tile shows, and where on the screen it was chosen. */
export interface ChosenPart extends ShownPart {
  /** As the tile calls it: `cart`, `cart, 10:05`. */
  name: string;
  at: { x: number; y: number };
  /** Takes the focus back. */
  from: HTMLElement | undefined;
}

export interface PartMenuProps {
  dashboardId: string;
  tile: Tile;
  part: ChosenPart;
  /** That of the dashboard. */
  range: ResolvedRange;
  narrowing: Narrowing;
  onClose: () => void;
}

/** Where a point, bar, slice, row or legend entry leads: its events, an alert, a link to the tile at that time. */
export function PartMenu({ dashboardId, tile, part, range, narrowing, onClose }: PartMenuProps) {
  const sources = useSources();
  const address = eventsOf(tile, part, narrowing);
  const all = comparedWith(tile, part, range, narrowing);
  const patterns = patternsOf(tile, range, narrowing);
  const kind = sources.find(({ id }) => id === address?.source)?.kind;
  const close = () => {
    onClose();
    part.from?.focus();
  };
  const copyLink = () => {
    void navigator.clipboard.writeText(linkTo(tile, part));
    showDone('The link to this tile at this time was copied.');
  };
  return (
    <Menu opened onClose={close} position="bottom-start" width={220} withinPortal>
      <Menu.Target>
        <UnstyledButton
          tabIndex={-1}
          aria-label={`Actions for ${part.name}`}
          style={{ position: 'fixed', left: part.at.x, top: part.at.y, width: 1, height: 1 }}
        />
      </Menu.Target>
      <Menu.Dropdown aria-label={`Actions for ${part.name}`}>
        <Menu.Label>{part.name}</Menu.Label>
        {patterns ? (
          <MenuItemLink
            leftSection={<IconListSearch size={14} />}
            to="/search"
            search={{ ...patterns, view: 'patterns' }}
          >
            Patterns in the search
          </MenuItemLink>
        ) : null}
        {address && (kind === 'log' || kind === 'trace') ? (
          <MenuItemLink leftSection={<IconListSearch size={14} />} to="/search" search={{ ...address }}>
            Show events
          </MenuItemLink>
        ) : null}
        {address && all && (kind === 'log' || kind === 'trace') ? (
          <MenuItemLink
            leftSection={<IconArrowsDiff size={14} />}
            to="/search"
            search={{
              ...all,
              ...selectionUrl({ where: address.where, language: address.lang, range: part.window }),
              view: 'differences',
            }}
          >
            Compare with the rest
          </MenuItemLink>
        ) : null}
        {isAlertable(tile) ? (
          <MenuItemLink leftSection={<IconBell size={14} />} to="/alerts/new" search={{ dashboardId, tileId: tile.id }}>
            New alert
          </MenuItemLink>
        ) : null}
        <Menu.Item leftSection={<IconLink size={14} />} onClick={copyLink}>
          Copy link
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** This dashboard at the time of the part, with its tile highlighted. */
function linkTo({ id }: Tile, { window: { startMs, endMs } }: ShownPart): string {
  const url = new URL(location.href);
  const search = { from: String(startMs), to: String(endMs), highlightedTileId: id };
  for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
  return url.href;
}

import { ActionIcon, Badge, Menu } from '@mantine/core';
import {
  IconBell,
  IconCopy,
  IconDots,
  IconMaximize,
  IconPencil,
  IconSection,
  IconTerminal2,
  IconTrash,
} from '@tabler/icons-react';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import { MenuItemLink } from '../../ui/links.tsx';
import type { ChosenPart } from './PartMenu.tsx';
import classes from './Tile.module.css';
import { useShownName } from './TileAnswers.tsx';
import { TileDescription } from './TileDescription.tsx';
import { TileNotes } from './TileNotes.tsx';
import { isAlertable } from './tile-look.ts';

export interface TileActions {
  onView: (tile: Tile) => void;
  onEdit: (tile: Tile) => void;
  onDuplicate: (tile: Tile) => void;
  onDelete: (tile: Tile) => void;
  /** To another section; absent where there is none. */
  onMoveTo: ((tile: Tile) => void) | undefined;
  /** Absent where holders of keys can't request tiles. */
  onCopyCurl: ((tile: Tile) => void) | undefined;
  onExplain: (tile: Tile) => void;
  /** One of its values was chosen. */
  onPart: (tile: Tile, part: ChosenPart) => void;
}

export interface TileFrameProps {
  dashboardId: string;
  tile: Tile;
  answer: TileAnswer | undefined;
  /** Moves it; absent unless tiles are arranged. */
  handle: ReactNode;
  highlighted: boolean;
  /** It comes back from its full-page view: keyboard users continue here. */
  takesFocus: boolean;
  /** States of the alerts that watch this tile. */
  firing: boolean;
  firingFromMs: number | undefined;
  actions: TileActions;
  children: ReactNode;
}

/** The box around a tile: its name, what was read for it, and what can be done with it. */
export function TileFrame(props: TileFrameProps) {
  const { dashboardId, tile, answer, handle, highlighted, takesFocus, firing, firingFromMs, actions, children } = props;
  const name = useShownName(tile.name || 'Untitled tile');
  return (
    <section
      data-tile={tile.id}
      className={highlighted ? `${classes.tile} ${classes.highlighted}` : classes.tile}
      aria-label={name}
    >
      <div className={classes.head}>
        {handle}
        <h2 className={handle ? `${classes.name} ${classes.movable} tile-handle` : classes.name} title={name}>
          {name}
        </h2>
        <TileDescription text={tile.description} />
        {firing ? (
          <Badge size="xs" color="red" variant="outline" c="var(--sb-firing)">
            Firing
          </Badge>
        ) : null}
        <TileNotes answer={answer} firingFromMs={firingFromMs} onExplain={() => actions.onExplain(tile)} />
        <TileMenu dashboardId={dashboardId} tile={tile} name={name} takesFocus={takesFocus} {...actions} />
      </div>
      <div className={classes.body}>{children}</div>
    </section>
  );
}

type TileMenuProps = Omit<TileActions, 'onExplain' | 'onPart'> &
  Pick<TileFrameProps, 'dashboardId' | 'tile' | 'takesFocus'> & { name: string };

/** Stays as it is when answers come. */
const TileMenu = memo(function TileMenu({
  dashboardId,
  tile,
  name,
  takesFocus,
  onView,
  onEdit,
  onDuplicate,
  onDelete,
  onMoveTo,
  onCopyCurl,
}: TileMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it appears
  useEffect(() => {
    if (takesFocus) button.current?.focus();
  }, []);
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size="sm" aria-label={`Actions for ${name}`}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconMaximize size={14} />} onClick={() => onView(tile)}>
          View
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => onEdit(tile)}>
          Edit
        </Menu.Item>
        <Menu.Item leftSection={<IconCopy size={14} />} onClick={() => onDuplicate(tile)}>
          Duplicate
        </Menu.Item>
        {onMoveTo ? (
          <Menu.Item leftSection={<IconSection size={14} />} onClick={() => onMoveTo(tile)}>
            Move to section
          </Menu.Item>
        ) : null}
        {isAlertable(tile) ? (
          <MenuItemLink leftSection={<IconBell size={14} />} to="/alerts/new" search={{ dashboardId, tileId: tile.id }}>
            Alert
          </MenuItemLink>
        ) : null}
        {onCopyCurl ? (
          <Menu.Item leftSection={<IconTerminal2 size={14} />} onClick={() => onCopyCurl(tile)}>
            Copy as curl
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => onDelete(tile)}>
          Delete
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
});

import { ActionIcon, Menu, Tabs, Text, UnstyledButton } from '@mantine/core';
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronRight,
  IconDots,
  IconPencil,
  IconPlus,
  IconTrash,
} from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import type { Container } from '../../../../src/contract/dashboard.ts';
import { useUrlState } from '../../url-state.ts';
import classes from './Section.module.css';
import { openInUrl, type SectionView, type TileGroup, tabInUrl } from './sections.ts';

export interface SectionActions {
  onEditSection: (container: Container) => void;
  onMoveSection: (container: Container, by: -1 | 1) => void;
  onDeleteSection: (container: Container) => void;
  onAddTile: (group: TileGroup) => void;
}

export interface SectionBoxProps {
  view: SectionView;
  /** How many tiles it has in all tabs. */
  tileCount: number;
  isFirst: boolean;
  isLast: boolean;
  actions: SectionActions;
  /** The tiles of the tab that is shown; nothing of it exists while the section is collapsed. */
  children: () => ReactNode;
}

/** A section of a dashboard: its heading, which opens and collapses it, its tabs, and the tiles that are shown. */
export function SectionBox({ view, tileCount, isFirst, isLast, actions, children }: SectionBoxProps) {
  const { container, isOpen, tabId, tiles } = view;
  const { id, title, bordered = false, collapsible = true, tabs = [] } = container;
  const [url, changeUrl] = useUrlState();
  const bodyId = useId();
  const headingId = useId();
  const group = tabId === undefined ? { containerId: id } : { containerId: id, tabId };
  const body = tiles.length > 0 ? children() : <EmptyGroup onAdd={() => actions.onAddTile(group)} />;
  return (
    <section
      className={bordered ? `${classes.section} ${classes.bordered}` : classes.section}
      aria-labelledby={headingId}
      data-section={id}
    >
      <div className={classes.head}>
        <h2 className={classes.title} id={headingId}>
          {collapsible ? (
            <UnstyledButton
              className={classes.toggle ?? ''}
              aria-expanded={isOpen}
              aria-controls={isOpen ? bodyId : undefined}
              fz="inherit"
              fw="inherit"
              onClick={() => changeUrl(openInUrl(container, !isOpen, url))}
            >
              <IconChevronRight size={16} aria-hidden className={isOpen ? classes.isOpen : undefined} />
              {title}
            </UnstyledButton>
          ) : (
            title
          )}
        </h2>
        {isOpen ? null : (
          <Text size="xs" c="var(--sb-muted)">
            {tileCount === 1 ? '1 tile' : `${tileCount} tiles`}
          </Text>
        )}
        <SectionMenu
          container={container}
          isFirst={isFirst}
          isLast={isLast}
          actions={actions}
          onAddTile={() => actions.onAddTile(group)}
        />
      </div>
      {isOpen ? (
        <div id={bodyId}>
          {tabs.length > 0 ? (
            <Tabs value={tabId ?? null} onChange={(next) => (next ? changeUrl(tabInUrl(container, next)) : undefined)}>
              <Tabs.List className={classes.tabs ?? ''} aria-label={`Tabs of ${title}`}>
                {tabs.map((tab) => (
                  <Tabs.Tab key={tab.id} value={tab.id}>
                    {tab.title}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              {tabs.map((tab) => (
                <Tabs.Panel key={tab.id} value={tab.id}>
                  {tab.id === tabId ? body : null}
                </Tabs.Panel>
              ))}
            </Tabs>
          ) : (
            body
          )}
        </div>
      ) : null}
    </section>
  );
}

function EmptyGroup({ onAdd }: { onAdd: () => void }) {
  return (
    <div className={classes.empty}>
      <Text size="sm" c="var(--sb-muted)" component="span">
        No tiles here yet.{' '}
      </Text>
      <UnstyledButton fz="sm" td="underline" c="var(--mantine-color-anchor)" onClick={onAdd}>
        Add a tile
      </UnstyledButton>
    </div>
  );
}

interface SectionMenuProps extends Pick<SectionBoxProps, 'isFirst' | 'isLast' | 'actions'> {
  container: Container;
  onAddTile: () => void;
}

function SectionMenu({ container, isFirst, isLast, actions, onAddTile }: SectionMenuProps) {
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Actions for section ${container.title}`}>
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPlus size={14} />} onClick={onAddTile}>
          Add tile
        </Menu.Item>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={() => actions.onEditSection(container)}>
          Edit section
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowUp size={14} />}
          disabled={isFirst}
          onClick={() => actions.onMoveSection(container, -1)}
        >
          Move up
        </Menu.Item>
        <Menu.Item
          leftSection={<IconArrowDown size={14} />}
          disabled={isLast}
          onClick={() => actions.onMoveSection(container, 1)}
        >
          Move down
        </Menu.Item>
        <Menu.Item leftSection={<IconTrash size={14} />} color="red" onClick={() => actions.onDeleteSection(container)}>
          Delete, keep its tiles
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

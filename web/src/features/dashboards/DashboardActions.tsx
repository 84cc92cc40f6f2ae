import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core';
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconDeviceTv,
  IconDots,
  IconDownload,
  IconFilter,
  IconHistory,
  IconLayoutGrid,
  IconPencil,
  IconPlus,
  IconSection,
  IconTerminal2,
} from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { DashboardExport } from '../../../../src/contract/dashboard-import.ts';
import { fetchData } from '../../api/client.ts';
import { curlCommand, keyVariables } from '../../api/curl-command.ts';
import { MenuItemLink } from '../../ui/links.tsx';
import { showDone, showFailure } from '../../ui/notify.ts';
import { TimeRangePicker } from '../time-range/TimeRangePicker.tsx';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import { FavouriteButton } from './FavouriteButton.tsx';
import { TilesRefresh } from './TileAnswers.tsx';
import type { DashboardDraft } from './use-dashboard-draft.ts';
import { redoKeys, undoKeys } from './use-undo-keys.ts';

const NameDialog = lazy(async () => ({ default: (await import('./NameDialog.tsx')).NameDialog }));

export interface DashboardActionsProps {
  draft: DashboardDraft;
  time: TimeRangeState;
  dashboardId: string;
  /** Not while one tile is looked at alone. */
  showsGrid: boolean;
  isArranging: boolean;
  onArrange: (on: boolean) => void;
  onAddTile: () => void;
  onEditFilters: () => void;
  onAddSection: () => void;
  onKiosk: () => void;
  onSave: () => void;
}

/** Time range, tiles, and what becomes of the changes. */
export function DashboardActions(props: DashboardActionsProps) {
  const { draft, time, dashboardId, isArranging, onArrange } = props;
  const [isNaming, setNaming] = useState(false);
  return (
    <>
      <TimeRangePicker state={time} refresh={<TilesRefresh dashboardId={dashboardId} time={time} />} />
      {props.showsGrid ? (
        <>
          <Button variant="default" leftSection={<IconPlus size={14} />} onClick={props.onAddTile}>
            Add tile
          </Button>
          <Button
            variant={isArranging ? 'light' : 'default'}
            leftSection={<IconLayoutGrid size={14} />}
            aria-pressed={isArranging}
            onClick={() => onArrange(!isArranging)}
          >
            Arrange
          </Button>
        </>
      ) : null}
      <UndoButtons draft={draft} />
      {draft.isChanged ? (
        <>
          <Button variant="default" onClick={draft.discard}>
            Discard
          </Button>
          <Button onClick={props.onSave} loading={draft.isSaving}>
            Save
          </Button>
        </>
      ) : null}
      {draft.dashboard ? <FavouriteButton id={dashboardId} name={draft.dashboard.name} large /> : null}
      {draft.dashboard ? (
        <MoreMenu
          dashboard={draft.dashboard}
          onRename={() => setNaming(true)}
          onEditFilters={props.onEditFilters}
          onAddSection={props.onAddSection}
          onKiosk={props.onKiosk}
        />
      ) : null}
      {isNaming && draft.dashboard ? (
        <Suspense fallback={null}>
          <NameDialog
            dashboard={draft.dashboard}
            onClose={() => setNaming(false)}
            onDone={(name, tags) => {
              draft.edit((now) => ({ ...now, name, tags }));
              setNaming(false);
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function UndoButtons({ draft }: { draft: DashboardDraft }) {
  return (
    <>
      {draft.canUndo ? (
        <Tooltip label={`Undo (${undoKeys})`}>
          <ActionIcon variant="default" size={30} aria-label="Undo" onClick={draft.undo}>
            <IconArrowBackUp size={15} />
          </ActionIcon>
        </Tooltip>
      ) : null}
      {draft.canRedo ? (
        <Tooltip label={`Redo (${redoKeys})`}>
          <ActionIcon variant="default" size={30} aria-label="Redo" onClick={draft.redo}>
            <IconArrowForwardUp size={15} />
          </ActionIcon>
        </Tooltip>
      ) : null}
    </>
  );
}

interface MoreMenuProps {
  dashboard: Dashboard;
  onRename: () => void;
  onEditFilters: () => void;
  onAddSection: () => void;
  onKiosk: () => void;
}

function MoreMenu({ dashboard, onRename, onEditFilters, onAddSection, onKiosk }: MoreMenuProps) {
  const copyCurl = () => {
    const { id, ...body } = dashboard;
    void navigator.clipboard.writeText(curlCommand('PUT', `dashboards/${id}`, body) ?? '');
    showDone(`The PUT request for this dashboard was copied. It reads the key from ${keyVariables}.`);
  };
  return (
    <Menu position="bottom-end" width={190}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="More">
          <IconDots size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconPencil size={14} />} onClick={onRename}>
          Name and tags
        </Menu.Item>
        <Menu.Item leftSection={<IconFilter size={14} />} onClick={onEditFilters}>
          Filters
        </Menu.Item>
        <Menu.Item leftSection={<IconSection size={14} />} onClick={onAddSection}>
          Add section
        </Menu.Item>
        <MenuItemLink
          to="/dashboards/$dashboardId/versions"
          params={{ dashboardId: dashboard.id }}
          leftSection={<IconHistory size={14} />}
        >
          Versions
        </MenuItemLink>
        <Menu.Item leftSection={<IconDeviceTv size={14} />} onClick={onKiosk}>
          Kiosk mode
        </Menu.Item>
        <Menu.Item leftSection={<IconDownload size={14} />} onClick={() => void exportDashboard(dashboard.id)}>
          Export JSON
        </Menu.Item>
        <Menu.Item leftSection={<IconTerminal2 size={14} />} onClick={copyCurl}>
          Copy as curl
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Downloads the dashboard as it is saved, with the names of what it refers to. */
async function exportDashboard(id: string): Promise<void> {
  try {
    const exported = await fetchData<DashboardExport>(`dashboards/${id}/export`);
    const url = URL.createObjectURL(new Blob([JSON.stringify(exported, null, 2)], { type: 'application/json' }));
    const link = document.createElement('a');
    link.href = url;
    link.download = `${exported.name}.json`;
    link.click();
    URL.revokeObjectURL(url);
  } catch (error) {
    showFailure(error);
  }
}

import { Button, Skeleton } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import type { Container, Dashboard } from '../../../../src/contract/dashboard.ts';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import { curlCommand, hasCommand, keyVariables } from '../../api/curl-command.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { showDone, showFailure } from '../../ui/notify.ts';
import { Page } from '../../ui/Page.tsx';
import { plainProblem } from '../../ui/plain-problem.ts';
import { useUrlState } from '../../url-state.ts';
import { choicesAfterSave, chosenValues, tileFilters, tileVariables } from '../dashboard-filters/filter-state.ts';
import { LinkedFilterBar } from '../dashboard-filters/LinkedFilterBar.tsx';
import { appliedFilters, hasSaved, linkedFilters, savedFilters } from '../dashboard-filters/saved-filters.ts';
import { useTimeRange } from '../time-range/use-time-range.ts';
import { UnsavedChangesGuard } from '../unsaved-changes/UnsavedChangesGuard.tsx';
import { DashboardActions } from './DashboardActions.tsx';
import { DashboardTiles } from './DashboardTiles.tsx';
import { tilesBody } from './dashboard-queries.ts';
import { inGroup, moveSection, moveTile, removeSection } from './edit-sections.ts';
import { duplicateOf, newTile, replaceTile } from './edit-tiles.ts';
import { KioskActions, kioskRefresh, useKioskEnd } from './Kiosk.tsx';
import type { ChosenPart } from './PartMenu.tsx';
import { groupOf, type TileGroup, tilesOf } from './sections.ts';
import { DashboardSkeleton } from './TileSkeleton.tsx';
import { useTileAlerts } from './tile-alerts.ts';
import { useDashboardDraft } from './use-dashboard-draft.ts';
import { useSectionEditor } from './use-section-editor.tsx';
import { useUndoKeys } from './use-undo-keys.ts';

// What many dashboards do not have.
const FilterBar = lazy(async () => ({ default: (await import('../dashboard-filters/FilterBar.tsx')).FilterBar }));
const SavedFilterBar = lazy(async () => ({
  default: (await import('../dashboard-filters/SavedFilterBar.tsx')).SavedFilterBar,
}));
// What most visits do not open.
const loadSaveLoss = () => import('./SaveLoss.tsx');
const loadSaveConflict = () => import('./SaveConflict.tsx');
const SaveLoss = lazy(async () => ({ default: (await loadSaveLoss()).SaveLoss }));
const SaveConflict = lazy(async () => ({ default: (await loadSaveConflict()).SaveConflict }));
const PartMenu = lazy(async () => ({ default: (await import('./PartMenu.tsx')).PartMenu }));
const MoveTileDialog = lazy(async () => ({ default: (await import('./MoveTileDialog.tsx')).MoveTileDialog }));
const FilterEditor = lazy(async () => ({
  default: (await import('../dashboard-filters/FilterEditor.tsx')).FilterEditor,
}));
const TileExplanation = lazy(async () => ({ default: (await import('./TileExplanation.tsx')).TileExplanation }));
const TileEditor = lazy(async () => ({ default: (await import('../tile-editor/TileEditor.tsx')).TileEditor }));

const noTiles: readonly Tile[] = [];
const noFilters: readonly DashboardFilter[] = [];

/** A dashboard: its tiles over one time range, and the changes made to it until they are saved. */
export function DashboardView({ dashboardId }: { dashboardId: string }) {
  const [url, changeUrl] = useUrlState();
  const { granularity, highlightedTileId, viewedTileId } = url;
  const time = useTimeRange(undefined, url.kiosk === '1' ? kioskRefresh : '');
  const draft = useDashboardDraft(dashboardId);
  const [isArranging, setArranging] = useState(false);
  const [edited, setEdited] = useState<Tile>();
  const [explained, setExplained] = useState<Tile>();
  const [chosenPart, setChosenPart] = useState<{ tile: Tile; part: ChosenPart }>();
  const [isFiltering, setFiltering] = useState(false);
  const [relocated, setRelocated] = useState<Tile>();
  const { dashboard, stored, conflict, edit } = draft;
  const tiles = dashboard?.tiles ?? noTiles;
  const filters = dashboard?.filters ?? noFilters;
  const chosen = chosenValues(filters, url);
  const saved = savedFilters(dashboard ?? {});
  const applied = appliedFilters(saved, url);
  const narrowed = {
    range: time.resolved,
    granularity,
    filters: [...applied.filters, ...linkedFilters(url), ...tileFilters(filters, chosen)],
    condition: applied.condition,
    variables: tileVariables(filters, chosen),
  };
  const question = { dashboardId, ...narrowed };
  const sections = useSectionEditor(edit);
  const besideOf = (tile: Tile) => (dashboard ? tilesOf(dashboard, groupOf(tile, dashboard.containers)) : []);
  const alerts = useTileAlerts(dashboardId, time.resolved);
  useUndoKeys(draft);
  useLoadedForSaving(draft.isChanged);
  const isKiosk = url.kiosk === '1';
  useKioskEnd(isKiosk, () => changeUrl({ kiosk: undefined }));
  useScrollTo(highlightedTileId, tiles.length > 0);

  const { setRange } = time;
  const zoom = useStable((fromMs: number, toMs: number) => setRange({ from: String(fromMs), to: String(toMs) }));
  const setTiles = (change: (tiles: readonly Tile[]) => Tile[]) =>
    edit((now) => ({ ...now, tiles: change(now.tiles) }));
  const copyCurl = useStable((tile: Tile) => {
    void navigator.clipboard.writeText(curlCommand('POST', 'charts/tiles', tilesBody([tile], narrowed)) ?? '');
    showDone(`The request for this tile was copied. It reads the key from ${keyVariables}.`);
  });
  const actions = {
    onView: useStable(({ id }: Tile) => changeUrl({ viewedTileId: id }, { replace: false })),
    onEdit: useStable((tile: Tile) => setEdited(tile)),
    onDuplicate: useStable((tile: Tile) =>
      setTiles((now) => [...now, duplicateOf(tile, besideOf(tile), crypto.randomUUID())]),
    ),
    onMoveTo: useStable((tile: Tile) => setRelocated(tile)),
    onDelete: useStable((tile: Tile) => setTiles((now) => now.filter(({ id }) => id !== tile.id))),
    onExplain: useStable((tile: Tile) => setExplained(tile)),
    onPart: useStable((tile: Tile, part: ChosenPart) => setChosenPart({ tile, part })),
    onCopyCurl: hasCommand('charts/tiles') ? copyCurl : undefined,
  };
  const addTile = (group: TileGroup = {}) => {
    const beside = dashboard ? tilesOf(dashboard, group) : [];
    setEdited(inGroup(newTile(beside, crypto.randomUUID()), group));
  };
  const inSections = {
    ...actions,
    onEditSection: sections.open,
    onMoveSection: ({ id }: Container, by: -1 | 1) => edit((now) => moveSection(now, id, by)),
    onDeleteSection: ({ id }: Container) => edit((now) => removeSection(now, id)),
    onAddTile: addTile,
  };
  const showSaveFailure = (error: unknown) =>
    showFailure(
      error instanceof Error
        ? new Error(plainProblem(error.message, { tileName: (index) => tiles[index]?.name }))
        : error,
    );
  const finish = (result: Promise<Dashboard | undefined>) =>
    result.then((saved) => {
      if (!saved) return;
      changeUrl(choicesAfterSave(filters, saved.filters ?? [], chosen));
      setArranging(false);
      showDone('Dashboard saved.');
    }, showSaveFailure);

  return (
    <Page
      title={dashboard?.name ?? 'Dashboard'}
      actions={
        isKiosk ? (
          <KioskActions time={time} onLeave={() => changeUrl({ kiosk: undefined })} />
        ) : (
          <DashboardActions
            draft={draft}
            time={time}
            dashboardId={dashboardId}
            showsGrid={!viewedTileId}
            isArranging={isArranging}
            onArrange={setArranging}
            onAddTile={() => addTile()}
            onEditFilters={() => setFiltering(true)}
            onAddSection={sections.add}
            onKiosk={() => changeUrl({ kiosk: '1', refresh: url.refresh || kioskRefresh }, { replace: false })}
            onSave={() => finish(draft.save())}
          />
        )
      }
    >
      {stored.error ? <ErrorNotice error={stored.error} onRetry={() => void stored.refetch()} /> : null}
      {stored.isPending ? <DashboardSkeleton /> : null}
      {hasSaved(saved) ? (
        <Suspense fallback={<Skeleton height={30} />}>
          <SavedFilterBar saved={saved} />
        </Suspense>
      ) : null}
      <LinkedFilterBar />
      {filters.length > 0 ? (
        <Suspense fallback={<Skeleton height={30} />}>
          <FilterBar filters={filters} chosen={chosen} range={time.resolved} onEdit={() => setFiltering(true)} />
        </Suspense>
      ) : null}
      {dashboard && tiles.length === 0 && !dashboard.containers?.length && !viewedTileId ? (
        <EmptyState
          title="No tiles yet"
          hint="A tile answers one question about your telemetry: errors per service, the slowest spans, a metric over time. To rename the dashboard, use “More”."
          action={<Button onClick={() => addTile()}>Add the first tile</Button>}
        />
      ) : null}
      {dashboard ? (
        <DashboardTiles
          dashboard={dashboard}
          alerts={alerts}
          range={time.resolved}
          question={question}
          isArranging={isArranging}
          actions={dashboard.containers?.length ? inSections : { ...inSections, onMoveTo: undefined }}
          onZoom={zoom}
          onMove={(moved) => setTiles((now) => now.map((tile) => moved.find(({ id }) => id === tile.id) ?? tile))}
        />
      ) : null}
      <Suspense fallback={null}>
        {chosenPart ? (
          <PartMenu
            dashboardId={dashboardId}
            {...chosenPart}
            range={time.resolved}
            narrowing={narrowed}
            onClose={() => setChosenPart(undefined)}
          />
        ) : null}
        {explained ? (
          <TileExplanation
            tile={explained}
            question={{ ...question, tiles: viewedTileId ? [explained] : besideOf(explained) }}
            onClose={() => setExplained(undefined)}
          />
        ) : null}
        {edited ? (
          <TileEditor
            dashboardId={dashboardId}
            tile={edited}
            range={time.resolved}
            filters={narrowed.filters}
            condition={narrowed.condition}
            variables={narrowed.variables}
            onClose={() => setEdited(undefined)}
            onDone={(tile) => {
              setTiles((now) => replaceTile(now, tile));
              setEdited(undefined);
            }}
          />
        ) : null}
        {isFiltering ? (
          <FilterEditor
            filters={filters}
            onClose={() => setFiltering(false)}
            onDone={(changed) => {
              edit((now) => ({ ...now, filters: changed }));
              setFiltering(false);
            }}
          />
        ) : null}
        {relocated ? (
          <MoveTileDialog
            tile={relocated}
            containers={dashboard?.containers ?? []}
            onClose={() => setRelocated(undefined)}
            onDone={(group) => {
              edit((now) => moveTile(now, relocated.id, group));
              setRelocated(undefined);
            }}
          />
        ) : null}
        {draft.loss ? (
          <SaveLoss
            loss={draft.loss}
            busy={draft.isSaving}
            onConfirm={() => finish(draft.acceptLoss())}
            onClose={draft.closeLoss}
          />
        ) : null}
        {conflict ? (
          <SaveConflict
            conflict={conflict}
            onResolve={(merged) => finish(draft.resolve(merged))}
            onClose={draft.closeConflict}
          />
        ) : null}
      </Suspense>
      {sections.dialog}
      <UnsavedChangesGuard isChanged={draft.isChanged} subject={dashboard?.name ?? ''} />
    </Page>
  );
}

/** The same function for the life of the component, so that tiles which did not change are not drawn again. */
function useStable<Args extends unknown[]>(call: (...args: Args) => void): (...args: Args) => void {
  const [holder] = useState(() => ({ call }));
  useEffect(() => {
    holder.call = call;
  });
  return useCallback((...args: Args) => holder.call(...args), [holder]);
}

/** What saving may ask is there as soon as something can be saved: by then the server may be gone, or a newer one. */
function useLoadedForSaving(isChanged: boolean): void {
  useEffect(() => {
    if (isChanged) void Promise.all([loadSaveLoss(), loadSaveConflict()]).catch(() => {});
  }, [isChanged]);
}

/** Brings the tile that a link names into sight, once it is there. */
function useScrollTo(tileId: string | undefined, isReady: boolean): void {
  const selector = useMemo(() => (tileId ? `[data-tile="${CSS.escape(tileId)}"]` : undefined), [tileId]);
  useEffect(() => {
    if (selector && isReady) document.querySelector(selector)?.scrollIntoView({ block: 'center' });
  }, [selector, isReady]);
}

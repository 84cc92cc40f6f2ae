import { Button, Checkbox, Drawer, Group, SegmentedControl, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { limits } from '../../../../src/contract/limits.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileFilter } from '../../../../src/contract/tile-query.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import type { DashboardCondition } from '../dashboard-filters/saved-filters.ts';
import { useTileAnswers } from '../dashboards/dashboard-queries.ts';
import { backgroundRef, numberLookOf } from '../dashboards/number-look.ts';
import { TileBody } from '../dashboards/TileBody.tsx';
import { type DisplayType, displayTypeOf, lineLookOf } from '../dashboards/tile-look.ts';
import { same } from '../editing/differences.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { useCloseGuard } from '../unsaved-changes/use-close-guard.tsx';
import { useSources } from '../where-editor/source-queries.ts';
import { EventFields } from './EventFields.tsx';
import { ExpressionField } from './ExpressionField.tsx';
import { ItemFields } from './ItemFields.tsx';
import { NumberFormatSelect } from './NumberFormatSelect.tsx';
import { OptionFields } from './OptionFields.tsx';
import { RowLinkFields } from './RowLinkFields.tsx';
import { SqlFields } from './SqlFields.tsx';
import classes from './TileEditor.module.css';
import {
  canShow,
  type DraftFormula,
  type DraftItem,
  draftOf,
  emptyItem,
  formulasOf,
  isGrouped,
  isStatement,
  showsEvents,
  type TileDraft,
  takesSeveral,
  takesSql,
} from './tile-draft.ts';
import { canBeRatio } from './write-config.ts';
import { tileOf } from './write-tile.ts';

export interface TileEditorProps {
  dashboardId: string;
  tile: Tile;
  range: ResolvedRange;
  /** What the dashboard's filters narrow it to at the moment. */
  filters: readonly TileFilter[];
  condition: DashboardCondition | undefined;
  variables: readonly TileVariable[];
  onDone: (tile: Tile) => void;
  onClose: () => void;
}

const displayTypes: { value: DisplayType; label: string }[] = [
  { value: 'line', label: 'Line' },
  { value: 'stacked_bar', label: 'Stacked bars' },
  { value: 'stacked_line', label: 'Stacked lines' },
  { value: 'number', label: 'Number' },
  { value: 'table', label: 'Table' },
  { value: 'bar', label: 'Bars' },
  { value: 'pie', label: 'Pie' },
  { value: 'heatmap', label: 'Heatmap' },
  { value: 'search', label: 'Search' },
  { value: 'event_patterns', label: 'Event patterns' },
  { value: 'markdown', label: 'Text' },
];

/** The form of one tile, with a preview of what it would show over the dashboard's range. */
export function TileEditor({ dashboardId, tile, range, onDone, onClose, ...narrowing }: TileEditorProps) {
  const [draft, setDraft] = useState(() => draftOf(tile));
  const sources = useSources();
  // A statement that was stored without a source stays without one.
  const mayLackSource = isStatement(draft) && draft.connectionId !== '';
  const fitting = sources.filter(({ kind }) => canShow(draft.displayType, kind));
  // A tile that is stored so keeps its source, whatever it is.
  const isNewDisplay = draft.displayType !== displayTypeOf(tile);
  const isMisfit =
    isNewDisplay && sources.some(({ id }) => id === draft.sourceId) && !fitting.some(({ id }) => id === draft.sourceId);
  const sourceId = (isMisfit ? '' : draft.sourceId) || (mayLackSource ? '' : (fitting[0]?.id ?? ''));
  const source = sources.find(({ id }) => id === sourceId);
  const isMetric = source?.kind === 'metric';
  const connectionId = source?.connection ?? draft.connectionId;
  // Until then a tile would be written without a source, and one of metrics like one of events.
  const isSourceKnown = draft.displayType === 'markdown' || fitting.length > 0;
  const guard = useCloseGuard({
    isChanged: !same(draft, draftOf(tile)),
    subject: tile.name || 'the new tile',
    onClose,
  });
  const change: ChangeDraft = (patch) =>
    setDraft((now) => ({ ...now, ...(typeof patch === 'function' ? patch(now) : patch) }));
  const made = useMemo(
    () => tileOf({ ...draft, sourceId, connectionId }, tile, isMetric),
    [draft, sourceId, connectionId, tile, isMetric],
  );
  const [previewed] = useDebouncedValue(made, 400);
  const tiles = useMemo(() => [previewed], [previewed]);
  const answers = useTileAnswers({ dashboardId, tiles, range, ...narrowing });
  const answer = answers.data?.get(previewed.id);
  return (
    <Drawer
      opened
      onClose={guard.close}
      title={tile.name ? `Edit “${tile.name}”` : 'New tile'}
      position="right"
      size={720}
    >
      <Stack gap={14}>
        <div className={classes.preview}>
          <TileBody
            label="Preview"
            look={numberLookOf(previewed)}
            display={draft.displayType}
            {...lineLookOf(previewed)}
            answer={answer}
            background={answers.data?.get(backgroundRef(previewed.id))}
            range={range}
          />
        </div>
        <div className={classes.head}>
          <TextInput
            label="Name"
            data-autofocus
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Select
            label="Display"
            data={displayTypes}
            value={draft.displayType}
            onChange={(value) => change({ displayType: (value ?? 'line') as DisplayType })}
            allowDeselect={false}
          />
          {draft.displayType === 'markdown' ? null : (
            <Select
              label="Source"
              data={fitting.map(({ id, name }) => ({ value: id, label: name }))}
              value={sourceId === '' ? null : sourceId}
              placeholder={mayLackSource ? 'None' : ''}
              onChange={(value) => change({ sourceId: value ?? '' })}
              allowDeselect={false}
            />
          )}
        </div>
        <Textarea
          label="Description"
          placeholder="What it shows, beside its name"
          autosize
          maxRows={5}
          maxLength={limits.tileDescriptionLength}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
        {takesSql(draft.displayType) ? (
          <SegmentedControl
            aria-label="How the tile is queried"
            value={draft.isSql ? 'sql' : 'builder'}
            onChange={(value) => change({ isSql: value === 'sql' })}
            data={[
              { value: 'builder', label: 'Builder' },
              { value: 'sql', label: 'SQL' },
            ]}
          />
        ) : null}
        {isStatement(draft) ? (
          <SqlFields draft={draft} sourceId={sourceId} change={change} error={answer?.error} />
        ) : showsEvents(draft.displayType) ? (
          <EventFields draft={draft} sourceId={sourceId} change={change} error={answer?.error} />
        ) : (
          <QueryFields
            draft={draft}
            sourceId={sourceId}
            isMetric={isMetric}
            hasSeries={tile.series !== undefined}
            change={change}
            error={answer?.error}
          />
        )}
        <OptionFields draft={draft} sourceId={sourceId} change={change} />
        {draft.displayType === 'table' ? (
          <RowLinkFields value={draft.onClick} onChange={(onClick) => change({ onClick })} />
        ) : null}
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <ReasonedButton reason={isSourceKnown ? lackOf(draft) : 'Choose a source.'} onClick={() => onDone(made)}>
            Apply
          </ReasonedButton>
        </Group>
      </Stack>
      {guard.question}
    </Drawer>
  );
}

/** What is missing before it can be stored. */
function lackOf({ displayType, items }: TileDraft): string | undefined {
  const isBlank = displayType === 'heatmap' && !items[0]?.field.trim();
  return isBlank ? 'Say which number the heatmap shows.' : undefined;
}

/** A patch, or how to make one of what the draft is by then. */
type ChangeDraft = (patch: Partial<TileDraft> | ((now: TileDraft) => Partial<TileDraft>)) => void;

interface QueryFieldsProps {
  draft: TileDraft;
  sourceId: string;
  isMetric: boolean;
  /** The tile is stored in the seed's form, where any display can be a ratio. */
  hasSeries: boolean;
  change: ChangeDraft;
  error: { message: string; position?: number; path?: string } | undefined;
}

function QueryFields({ draft, sourceId, isMetric, hasSeries, change, error }: QueryFieldsProps) {
  const { displayType, items } = draft;
  if (displayType === 'markdown') {
    return (
      <Textarea
        label="Text (Markdown)"
        autosize
        minRows={8}
        value={draft.markdown}
        onChange={(event) => change({ markdown: event.currentTarget.value })}
      />
    );
  }
  const several = takesSeveral(displayType);
  const shown = several ? items : items.slice(0, 1);
  return (
    <>
      {shown.map((item, index) => (
        <ItemFields
          // biome-ignore lint/suspicious/noArrayIndexKey: items are distinguished by their letter, which is their place
          key={index}
          letter={String.fromCharCode(65 + index)}
          item={item}
          sourceId={sourceId}
          isMetric={isMetric}
          error={error?.path?.includes(`.${index}.where`) ? error : undefined}
          onChange={(patch) => change((now) => ({ items: withItem(now.items, index, patch) }))}
          onRemove={
            shown.length > 1
              ? () => change((now) => ({ items: now.items.filter((_, place) => place !== index) }))
              : undefined
          }
        />
      ))}
      {several ? (
        <Group>
          <Button variant="default" onClick={() => change((now) => ({ items: [...now.items, { ...emptyItem }] }))}>
            Add series
          </Button>
          {items.length === 2 && formulasOf(draft).length === 0 && (hasSeries || canBeRatio(displayType)) ? (
            <Checkbox
              label="Show the ratio A / B"
              checked={draft.asRatio}
              onChange={(event) => change({ asRatio: event.currentTarget.checked })}
            />
          ) : null}
        </Group>
      ) : null}
      {isGrouped(displayType) ? (
        <ExpressionField
          label="Group by"
          sourceId={sourceId}
          value={draft.groupBy}
          onChange={(groupBy) => change({ groupBy })}
          hint="ServiceName"
        />
      ) : null}
      {several ? (
        <Group grow align="flex-start">
          <FormulaFields formulas={draft.formulas} onChange={(formulas) => change({ formulas })} />
          <NumberFormatSelect value={draft.numberFormat} onChange={(numberFormat) => change({ numberFormat })} />
        </Group>
      ) : null}
    </>
  );
}

interface FormulaFieldsProps {
  formulas: readonly DraftFormula[];
  onChange: (formulas: DraftFormula[]) => void;
}

/** One line per formula, and an empty one for the next. */
function FormulaFields({ formulas, onChange }: FormulaFieldsProps) {
  const isLastBlank = formulas.at(-1)?.expression === '';
  const lines = isLastBlank || formulas.length >= limits.formulas ? formulas : [...formulas, { expression: '' }];
  return (
    <Stack gap={6}>
      {lines.map((formula, index) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: formulas are distinguished by their place
          key={index}
          {...(index === 0 ? { label: 'Formula' } : { 'aria-label': `Formula ${index + 1}` })}
          placeholder={index === 0 ? 'A / B * 100' : 'Another formula'}
          value={formula.expression}
          onChange={(event) => onChange(lines.with(index, { ...formula, expression: event.currentTarget.value }))}
        />
      ))}
    </Stack>
  );
}

function withItem(items: readonly DraftItem[], index: number, patch: Partial<DraftItem>): DraftItem[] {
  return items.map((one, place) => (place === index ? { ...one, ...patch } : one));
}

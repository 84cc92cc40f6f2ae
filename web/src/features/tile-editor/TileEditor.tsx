import { Button, Drawer, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileFilter } from '../../../../src/contract/tile-query.ts';
import { useTileAnswers } from '../dashboards/dashboard-queries.ts';
import { TileBody } from '../dashboards/TileBody.tsx';
import type { DisplayType } from '../dashboards/tile-look.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { useSources } from '../where-editor/source-queries.ts';
import { ExpressionEditor } from '../where-editor/WhereEditor.tsx';
import { ItemFields } from './ItemFields.tsx';
import { NumberFormatSelect } from './NumberFormatSelect.tsx';
import classes from './TileEditor.module.css';
import { draftOf, emptyItem, isGrouped, type TileDraft, takesSeveral, tileOf } from './tile-draft.ts';

export interface TileEditorProps {
  dashboardId: string;
  tile: Tile;
  range: ResolvedRange;
  /** What the dashboard's filters narrow it to at the moment. */
  filters: readonly TileFilter[];
  onDone: (tile: Tile) => void;
  onClose: () => void;
}

const displayTypes: { value: DisplayType; label: string }[] = [
  { value: 'line', label: 'Line' },
  { value: 'stacked_bar', label: 'Stacked bars' },
  { value: 'number', label: 'Number' },
  { value: 'table', label: 'Table' },
  { value: 'bar', label: 'Bars' },
  { value: 'pie', label: 'Pie' },
  { value: 'search', label: 'Search' },
  { value: 'markdown', label: 'Text' },
];

/** The form of one tile, with a preview of what it would show over the dashboard's range. */
export function TileEditor({ dashboardId, tile, range, filters, onDone, onClose }: TileEditorProps) {
  const [draft, setDraft] = useState(() => draftOf(tile));
  const sources = useSources();
  const sourceId = draft.sourceId || (sources[0]?.id ?? '');
  const isMetric = sources.find(({ id }) => id === sourceId)?.kind === 'metric';
  const change = (patch: Partial<TileDraft>) => setDraft((now) => ({ ...now, ...patch }));
  const made = useMemo(() => tileOf({ ...draft, sourceId }, tile, isMetric), [draft, sourceId, tile, isMetric]);
  const [previewed] = useDebouncedValue(made, 400);
  const tiles = useMemo(() => [previewed], [previewed]);
  const answers = useTileAnswers({ dashboardId, tiles, range, filters });
  const answer = answers.data?.get(previewed.id);
  return (
    <Drawer opened onClose={onClose} title={tile.name ? `Edit “${tile.name}”` : 'New tile'} position="right" size={720}>
      <Stack gap={14}>
        <div className={classes.preview}>
          <TileBody label="Preview" answer={answer} range={range} />
        </div>
        <Group grow align="flex-start">
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
              data={sources.map(({ id, name }) => ({ value: id, label: name }))}
              value={sourceId}
              onChange={(value) => change({ sourceId: value ?? '' })}
              allowDeselect={false}
            />
          )}
        </Group>
        <QueryFields draft={draft} sourceId={sourceId} isMetric={isMetric} change={change} error={answer?.error} />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={() => onDone(made)}>Apply</Button>
        </Group>
      </Stack>
    </Drawer>
  );
}

interface QueryFieldsProps {
  draft: TileDraft;
  sourceId: string;
  isMetric: boolean;
  change: (patch: Partial<TileDraft>) => void;
  error: { message: string; position?: number; path?: string } | undefined;
}

function QueryFields({ draft, sourceId, isMetric, change, error }: QueryFieldsProps) {
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
  const isSearch = displayType === 'search';
  const several = takesSeveral(displayType);
  const shown = several ? items : items.slice(0, 1);
  return (
    <>
      {shown.map((item, index) => (
        <ItemFields
          // biome-ignore lint/suspicious/noArrayIndexKey: items are told apart by their letter, which is their place
          key={index}
          letter={String.fromCharCode(65 + index)}
          item={item}
          sourceId={sourceId}
          isMetric={isMetric}
          filterOnly={isSearch}
          error={error?.path?.includes(`.${index}.where`) || (isSearch && error?.path === 'where') ? error : undefined}
          onChange={(patch) =>
            change({ items: items.map((one, place) => (place === index ? { ...one, ...patch } : one)) })
          }
          onRemove={shown.length > 1 ? () => change({ items: items.filter((_, place) => place !== index) }) : undefined}
        />
      ))}
      {several ? (
        <Group>
          <Button variant="default" onClick={() => change({ items: [...items, { ...emptyItem }] })}>
            Add series
          </Button>
        </Group>
      ) : null}
      {isSearch ? (
        <ExpressionEditor
          label="Columns"
          sourceId={sourceId}
          value={draft.columns}
          onChange={(columns) => change({ columns })}
          hint="Timestamp, ServiceName, Body"
        />
      ) : null}
      {isGrouped(displayType) ? (
        <ExpressionEditor
          label="Group by"
          sourceId={sourceId}
          value={draft.groupBy}
          onChange={(groupBy) => change({ groupBy })}
          hint="ServiceName"
        />
      ) : null}
      {several ? (
        <Group grow align="flex-start">
          <TextInput
            label="Formula"
            placeholder="A / B * 100"
            value={draft.formula}
            onChange={(event) => change({ formula: event.currentTarget.value })}
          />
          <NumberFormatSelect value={draft.numberFormat} onChange={(numberFormat) => change({ numberFormat })} />
        </Group>
      ) : null}
    </>
  );
}

import { Group, Input, Select } from '@mantine/core';
import type { ProblemInText } from '../where-editor/Problem.tsx';
import { WhereEditor } from '../where-editor/WhereEditor.tsx';
import { ExpressionField } from './ExpressionField.tsx';
import { NumberFormatSelect } from './NumberFormatSelect.tsx';
import { type DraftItem, emptyItem, type TileDraft } from './tile-draft.ts';

export interface EventFieldsProps {
  draft: TileDraft;
  sourceId: string;
  change: (patch: Partial<TileDraft>) => void;
  error: (ProblemInText & { path?: string }) | undefined;
}

/** The query of a tile that shows events: one filter, and what of the events is shown. */
export function EventFields({ draft, sourceId, change, error }: EventFieldsProps) {
  const { displayType, items } = draft;
  const item = items[0] ?? emptyItem;
  const patch = (fields: Partial<DraftItem>) => change({ items: [{ ...item, ...fields }, ...items.slice(1)] });
  const errorAt = (...paths: string[]) => (error?.path !== undefined && paths.includes(error.path) ? error : undefined);
  return (
    <>
      {displayType === 'heatmap' ? (
        <HeatmapFields {...{ draft, sourceId, change, errorAt }} onField={(field) => patch({ field })} />
      ) : null}
      <Input.Wrapper label="Filter" labelElement="div" size="xs">
        <WhereEditor
          label="Filter"
          sourceId={sourceId}
          value={item.where}
          language={item.whereLanguage}
          onChange={(where) => patch({ where })}
          onLanguageChange={(whereLanguage) => patch({ whereLanguage })}
          error={errorAt('where', 'config.where')}
        />
      </Input.Wrapper>
      {displayType === 'search' ? (
        <ExpressionField
          label="Columns"
          sourceId={sourceId}
          value={draft.columns}
          onChange={(columns) => change({ columns })}
          hint="Timestamp, ServiceName, Body"
        />
      ) : null}
      {displayType === 'event_patterns' ? (
        <ExpressionField
          label="Text"
          sourceId={sourceId}
          value={draft.columns}
          onChange={(columns) => change({ columns })}
          hint="Body"
          error={errorAt('config.select')}
          description="What the patterns are found in; left empty, the body of logs or the name of spans."
        />
      ) : null}
    </>
  );
}

interface HeatmapFieldsProps extends Omit<EventFieldsProps, 'error'> {
  errorAt: (path: string) => ProblemInText | undefined;
  onField: (field: string) => void;
}

function HeatmapFields({ draft, sourceId, change, errorAt, onField }: HeatmapFieldsProps) {
  return (
    <>
      <ExpressionField
        label="Number"
        sourceId={sourceId}
        value={draft.items[0]?.field ?? ''}
        onChange={onField}
        hint="Duration"
        error={errorAt('config.select.0.valueExpression')}
        description="How it is distributed over time."
      />
      <ExpressionField
        label="Shown per cell"
        sourceId={sourceId}
        value={draft.amount}
        onChange={(amount) => change({ amount })}
        hint="count()"
        error={errorAt('config.select.0.countExpression')}
      />
      <Group grow align="flex-start">
        <Select
          label="Scale"
          data={[
            { value: '', label: 'By its values' },
            { value: 'log', label: 'Logarithmic' },
            { value: 'linear', label: 'Linear' },
          ]}
          value={draft.scale ?? ''}
          onChange={(scale) => change({ scale: scale === 'log' || scale === 'linear' ? scale : undefined })}
          allowDeselect={false}
        />
        <NumberFormatSelect value={draft.numberFormat} onChange={(numberFormat) => change({ numberFormat })} />
      </Group>
    </>
  );
}

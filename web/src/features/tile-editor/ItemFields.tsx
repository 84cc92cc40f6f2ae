import { ActionIcon, Autocomplete, Checkbox, Group, Input, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { AggregateFunction, MetricDataType } from '../../../../src/contract/series.ts';
import type { ProblemInText } from '../where-editor/Problem.tsx';
import { metricsQuery } from '../where-editor/source-queries.ts';
import { WhereEditor } from '../where-editor/WhereEditor.tsx';
import { ExpressionField } from './ExpressionField.tsx';
import classes from './TileEditor.module.css';
import { canBeCalculated, canBeChange, type DraftItem } from './tile-draft.ts';

export interface ItemFieldsProps {
  letter: string;
  item: DraftItem;
  sourceId: string;
  isMetric: boolean;
  error: ProblemInText | undefined;
  onChange: (patch: Partial<DraftItem>) => void;
  onRemove: (() => void) | undefined;
}

const aggregates: { value: AggregateFunction; label: string }[] = [
  { value: 'count', label: 'Count' },
  { value: 'sum', label: 'Sum' },
  { value: 'avg', label: 'Average' },
  { value: 'min', label: 'Minimum' },
  { value: 'max', label: 'Maximum' },
  { value: 'quantile', label: 'Quantile' },
  { value: 'count_distinct', label: 'Count distinct' },
  { value: 'last_value', label: 'Last value' },
  { value: 'increase', label: 'Increase' },
  { value: 'rate', label: 'Increase per second' },
  { value: 'any', label: 'Any value' },
  { value: 'none', label: 'Expression of aggregates' },
];
const ofMetrics = new Set<AggregateFunction>(['increase', 'rate']);
const levels = ['0.5', '0.9', '0.95', '0.99'];

function isKnownOf(aggFn: AggregateFunction, isMetric: boolean): boolean {
  return isMetric ? aggFn !== 'none' : !ofMetrics.has(aggFn);
}

/** Aggregate, field and filter of one series. */
export function ItemFields(props: ItemFieldsProps) {
  const { letter, item, sourceId, isMetric, error, onChange, onRemove } = props;
  return (
    <Stack gap={10} className={classes.item ?? ''} role="group" aria-label={`Series ${letter}`}>
      <Group align="flex-end" gap={10} className={classes.fields ?? ''}>
        <Text className={classes.letter ?? ''}>{letter}</Text>
        <Select
          label="Aggregate"
          data={aggregates.filter(({ value }) => value === item.aggFn || isKnownOf(value, isMetric))}
          value={item.aggFn}
          onChange={(value) => onChange({ aggFn: (value ?? 'count') as AggregateFunction })}
          allowDeselect={false}
        />
        {item.aggFn === 'quantile' ? (
          <Select
            label="Level"
            w={90}
            data={[...new Set([...levels, String(item.level)])].sort()}
            value={String(item.level)}
            onChange={(value) => onChange({ level: Number(value ?? 0.95) })}
            allowDeselect={false}
          />
        ) : null}
        <TextInput
          label="Alias"
          value={item.alias}
          onChange={(event) => onChange({ alias: event.currentTarget.value })}
        />
        {onRemove ? (
          <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove series ${letter}`} mb={4}>
            <IconTrash size={15} />
          </ActionIcon>
        ) : null}
      </Group>
      {isMetric ? <MetricField sourceId={sourceId} item={item} onChange={onChange} /> : null}
      {isMetric && canBeCalculated(item) ? (
        <ExpressionField
          label="Value"
          name={`Value of ${letter}`}
          sourceId={sourceId}
          value={item.field === 'Value' ? '' : item.field}
          onChange={(field) => onChange({ field })}
          hint="Value / 1024"
        />
      ) : null}
      {isMetric && canBeChange(item) ? (
        <Checkbox
          label="Change over the bucket"
          description="Last value less the first, of each time series"
          checked={item.periodAggFn === 'delta'}
          onChange={({ currentTarget: { checked } }) => onChange({ periodAggFn: checked ? 'delta' : undefined })}
        />
      ) : null}
      {isMetric || item.aggFn === 'count' ? null : (
        <ExpressionField
          label="Field"
          name={`Field of ${letter}`}
          sourceId={sourceId}
          value={item.field}
          onChange={(field) => onChange({ field })}
          hint={item.aggFn === 'none' ? "countIf(StatusCode = 'Error') / count()" : 'Duration'}
        />
      )}
      <Input.Wrapper label="Filter" labelElement="div" size="xs">
        <WhereEditor
          label={`Filter of ${letter}`}
          sourceId={sourceId}
          value={item.where}
          language={item.whereLanguage}
          onChange={(where) => onChange({ where })}
          onLanguageChange={(whereLanguage) => onChange({ whereLanguage })}
          error={error}
        />
      </Input.Wrapper>
    </Stack>
  );
}

function MetricField({ sourceId, item, onChange }: Pick<ItemFieldsProps, 'sourceId' | 'item' | 'onChange'>) {
  const { data = [] } = useQuery(metricsQuery(sourceId));
  const choose = (metricName: string) => {
    const known = data.find(({ name }) => name === metricName);
    onChange({ metricName, ...(known ? { metricType: known.type as MetricDataType } : {}) });
  };
  const chosen = data.find(({ name }) => name === item.metricName);
  return (
    <Autocomplete
      label="Metric"
      placeholder="http.server.duration"
      description={chosen ? [chosen.type, chosen.unit, chosen.description].filter(Boolean).join(' · ') : undefined}
      data={[...new Set(data.map(({ name }) => name))]}
      limit={50}
      value={item.metricName}
      onChange={choose}
    />
  );
}

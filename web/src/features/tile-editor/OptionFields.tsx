import { Checkbox, Fieldset, Group, Input, NumberInput, Select, Stack } from '@mantine/core';
import { lineInterpolations } from '../../../../src/contract/time-display.ts';
import { ExpressionEditor } from '../where-editor/WhereEditor.tsx';
import { ColorRuleFields } from './ColorRuleFields.tsx';
import { ColorSelect } from './ColorSelect.tsx';
import { formulasOf, isStatement, type TileDraft } from './tile-draft.ts';
import { optionKeys, withOption } from './tile-options.ts';

export interface OptionFieldsProps {
  draft: TileDraft;
  sourceId: string;
  change: (patch: Partial<TileDraft>) => void;
}

/** Texts in the language of SQL, by their names in `config`. */
const expressions: Record<string, { label: string; hint: string }> = {
  having: { label: 'Only rows where', hint: 'count() > 10' },
  orderBy: { label: 'Order by', hint: 'count() DESC' },
};
const numbers: Record<string, { label: string; hint: string }> = {
  limit: { label: 'Rows at most', hint: 'All' },
  seriesLimit: { label: 'Series at most', hint: 'As usual; 0 = all' },
};
const switches: Record<string, { label: string; byDefault: boolean }> = {
  compareToPreviousPeriod: { label: 'Compare with the period before', byDefault: false },
  fillNulls: { label: 'Fill empty buckets', byDefault: true },
  fitYAxisToData: { label: 'Fit the axis to the values', byDefault: false },
  alignDateRangeToGranularity: { label: 'Whole buckets at both ends', byDefault: false },
  otherGroup: { label: 'Show the rest as “Other”', byDefault: false },
  showOperandSeries: { label: 'Show what formulas are made of', byDefault: false },
};

const inRow = new Set(['color', 'backgroundChart', 'lineInterpolation']);
const interpolationLabels = { linear: 'Straight', step: 'Steps', smooth: 'Curves' } as const;

/** What the display has beside its query: order, limits, comparison, colours. */
export function OptionFields({ draft, sourceId, change }: OptionFieldsProps) {
  const { options, displayType } = draft;
  const hasFormulas = formulasOf(draft).length > 0;
  const keys = optionKeys(displayType, isStatement(draft))
    .filter((key) => key !== 'showOperandSeries' || hasFormulas)
    .filter((key) => key !== 'otherGroup' || draft.groupBy.trim() !== '');
  if (keys.length === 0) return null;
  const set = (key: string, value: unknown) => change({ options: withOption(options, key, value) });
  const text = (key: string) => (typeof options[key] === 'string' ? options[key] : '');
  return (
    <Fieldset legend="Options">
      <Stack gap={10}>
        {keys
          .filter((key) => key in expressions)
          .map((key) => (
            <Input.Wrapper key={key} label={expressions[key]?.label} labelElement="div" size="xs">
              <ExpressionEditor
                label={expressions[key]?.label ?? key}
                sourceId={sourceId}
                value={text(key)}
                onChange={(value) => set(key, value.trim() === '' ? undefined : value)}
                hint={expressions[key]?.hint ?? ''}
              />
            </Input.Wrapper>
          ))}
        {keys.some((key) => key in numbers || inRow.has(key)) ? (
          <Group gap={16} align="flex-end">
            {keys
              .filter((key) => key in numbers)
              .map((key) => (
                <NumberInput
                  key={key}
                  label={numbers[key]?.label}
                  placeholder={numbers[key]?.hint ?? ''}
                  w={150}
                  min={0}
                  allowDecimal={false}
                  value={typeof options[key] === 'number' ? options[key] : ''}
                  onChange={(value) => set(key, typeof value === 'number' ? value : undefined)}
                />
              ))}
            {keys.includes('lineInterpolation') ? (
              <Select
                label="Between values"
                w={150}
                allowDeselect={false}
                data={lineInterpolations.map((value) => ({ value, label: interpolationLabels[value] }))}
                value={text('lineInterpolation') || 'linear'}
                onChange={(value) => set('lineInterpolation', value === 'linear' ? undefined : value)}
              />
            ) : null}
            {keys.includes('color') ? (
              <ColorSelect label="Colour" value={text('color')} onChange={(value) => set('color', value)} />
            ) : null}
            {keys.includes('backgroundChart') ? (
              <BackgroundFields value={options.backgroundChart} onChange={(value) => set('backgroundChart', value)} />
            ) : null}
          </Group>
        ) : null}
        {keys.includes('colorRules') ? (
          <ColorRuleFields value={options.colorRules} onChange={(value) => set('colorRules', value)} />
        ) : null}
        {keys.some((key) => key in switches) ? (
          <Group gap={16}>
            {keys
              .filter((key) => key in switches)
              .map((key) => {
                const { label, byDefault } = switches[key] ?? { label: key, byDefault: false };
                return (
                  <Checkbox
                    key={key}
                    label={label}
                    checked={options[key] === undefined ? byDefault : options[key] === true}
                    onChange={({ currentTarget: { checked } }) => set(key, checked === byDefault ? undefined : checked)}
                  />
                );
              })}
          </Group>
        ) : null}
      </Stack>
    </Fieldset>
  );
}

interface Background {
  type: 'line' | 'area';
  color?: string;
}

function BackgroundFields({ value, onChange }: { value: unknown; onChange: (value: Background | undefined) => void }) {
  // As the contract has it.
  const background = value as Background | undefined;
  return (
    <>
      <Select
        label="Behind the number"
        placeholder="Nothing"
        w={150}
        clearable
        data={[
          { value: 'line', label: 'Line' },
          { value: 'area', label: 'Area' },
        ]}
        value={background?.type ?? null}
        onChange={(type) => onChange(type === 'line' || type === 'area' ? { ...background, type } : undefined)}
      />
      {background ? (
        <ColorSelect
          label="Colour behind"
          value={background.color ?? ''}
          onChange={(color) => {
            const { color: _before, ...rest } = background;
            onChange(color === undefined ? rest : { ...rest, color });
          }}
        />
      ) : null}
    </>
  );
}

import { ActionIcon, Group, Select, Stack, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Static } from 'typebox';
import type { ColorRuleSchema } from '../../../../src/contract/chart-color.ts';
import { limits } from '../../../../src/contract/limits.ts';
import { ReasonedButton } from '../../ui/ReasonedButton.tsx';
import { ColorSelect } from './ColorSelect.tsx';
import { ruleWith, valueText } from './color-rules.ts';

type ColorRule = Static<typeof ColorRuleSchema>;

const operators = [
  { value: 'gt', label: 'above' },
  { value: 'gte', label: 'at least' },
  { value: 'lt', label: 'below' },
  { value: 'lte', label: 'at most' },
  { value: 'between', label: 'between' },
  { value: 'eq', label: 'equal to' },
  { value: 'neq', label: 'other than' },
];

export interface ColorRuleFieldsProps {
  value: unknown;
  onChange: (value: ColorRule[] | undefined) => void;
}

/** Colours of a number by its value; the first rule that matches wins. */
export function ColorRuleFields({ value, onChange }: ColorRuleFieldsProps) {
  // As the contract has them.
  const rules = (value ?? []) as ColorRule[];
  const set = (next: ColorRule[]) => onChange(next.length > 0 ? next : undefined);
  return (
    <Stack gap={6} role="group" aria-label="Colour rules">
      {rules.map((rule, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: rules are distinguished by their place, which is their rank
          key={index}
          gap={8}
          align="flex-end"
          role="group"
          aria-label={`Colour rule ${index + 1}`}
        >
          <Select
            label="If the number is"
            w={110}
            data={operators}
            value={rule.operator}
            onChange={(operator) => set(rules.with(index, ruleWith(rule, { operator: operator ?? rule.operator })))}
            allowDeselect={false}
          />
          <TextInput
            label="Value"
            w={110}
            placeholder={rule.operator === 'between' ? '5, 10' : '5'}
            defaultValue={valueText(rule)}
            key={rule.operator}
            onBlur={(event) => set(rules.with(index, ruleWith(rule, { text: event.currentTarget.value })))}
          />
          <ColorSelect
            label="Colour"
            required
            value={rule.color}
            onChange={(color) => set(rules.with(index, ruleWith(rule, { color: color ?? rule.color })))}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={`Remove colour rule ${index + 1}`}
            onClick={() => set(rules.filter((_, place) => place !== index))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <ReasonedButton
          variant="default"
          reason={
            rules.length >= limits.colorRules
              ? `There are ${limits.colorRules}, the most that a tile can have.`
              : undefined
          }
          onClick={() => set([...rules, { operator: 'gt', value: 0, color: 'chart-error' }])}
        >
          Add colour rule
        </ReasonedButton>
      </Group>
    </Stack>
  );
}

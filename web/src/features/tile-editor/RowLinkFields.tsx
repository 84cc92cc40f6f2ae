import { ActionIcon, Button, Fieldset, Group, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { linkTemplateProblem, urlTemplateProblem } from '../../../../src/contract/link-template.ts';
import type { OnClick } from '../../../../src/contract/on-click.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { useSources } from '../where-editor/source-queries.ts';

export interface RowLinkFieldsProps {
  value: OnClick | undefined;
  onChange: (value: OnClick | undefined) => void;
}

type Inside = Exclude<OnClick, { type: 'external' }>;
type Filter = NonNullable<Inside['filters']>[number];

const kinds = [
  { value: 'none', label: 'Nowhere' },
  { value: 'search', label: 'Search' },
  { value: 'dashboard', label: 'Dashboard' },
  { value: 'external', label: 'Web address' },
];

/** Where the rows of a table lead, with the values that they have. */
export function RowLinkFields({ value, onChange }: RowLinkFieldsProps) {
  const choose = (kind: string | null) => {
    if (kind === null || kind === 'none') return onChange(undefined);
    if (kind === 'external') return onChange({ type: 'external', urlTemplate: 'https://' });
    onChange({ type: kind === 'search' ? 'search' : 'dashboard', target: { mode: 'id', id: '' } });
  };
  return (
    <Fieldset legend="Row link">
      <Stack gap={10}>
        <Select
          label="The rows lead to"
          data={kinds}
          value={value?.type ?? 'none'}
          onChange={choose}
          allowDeselect={false}
        />
        {value ? (
          <Text size="xs" c="var(--sb-muted)">
            {'{{Column}}'} is the value of the row, {'{{[a b]}}'} that of a column whose name has a space.
          </Text>
        ) : null}
        {value?.type === 'external' ? (
          <TextInput
            label="Address"
            placeholder="https://wiki.example.com/{{ServiceName}}"
            value={value.urlTemplate}
            onChange={(event) => onChange({ ...value, urlTemplate: event.currentTarget.value })}
            error={urlTemplateProblem(value.urlTemplate)}
          />
        ) : null}
        {value && value.type !== 'external' ? <InsideFields value={value} onChange={onChange} /> : null}
      </Stack>
    </Fieldset>
  );
}

interface InsideFieldsProps {
  value: Inside;
  onChange: (value: Inside) => void;
}

function InsideFields({ value, onChange }: InsideFieldsProps) {
  const { whereTemplate = '', whereLanguage = 'lucene', filters = [] } = value;
  const setFilters = (next: Filter[]) => {
    const { filters: _filters, ...rest } = value;
    onChange(next.length > 0 ? { ...rest, filters: next } : rest);
  };
  return (
    <>
      <TargetField value={value} onChange={onChange} />
      <Group align="flex-end" gap={8} wrap="nowrap">
        <TextInput
          flex={1}
          label="Condition"
          placeholder={whereLanguage === 'sql' ? "ServiceName = '{{ServiceName}}'" : 'ServiceName:"{{ServiceName}}"'}
          value={whereTemplate}
          onChange={(event) => onChange({ ...value, whereTemplate: event.currentTarget.value })}
          error={linkTemplateProblem(whereTemplate)}
        />
        <SegmentedControl
          aria-label="Language of the condition"
          data={[
            { value: 'lucene', label: 'Lucene' },
            { value: 'sql', label: 'SQL' },
          ]}
          value={whereLanguage}
          onChange={(language) => onChange({ ...value, whereLanguage: language === 'sql' ? 'sql' : 'lucene' })}
        />
      </Group>
      {filters.map((filter, index) => (
        <Group
          // biome-ignore lint/suspicious/noArrayIndexKey: filters are distinguished by their place
          key={index}
          gap={8}
          wrap="nowrap"
          align="flex-end"
          role="group"
          aria-label={`Filter ${index + 1} of the link`}
        >
          <TextInput
            flex={1}
            label="Field or expression"
            placeholder="ServiceName"
            value={filter.expression}
            onChange={(event) => setFilters(filters.with(index, { ...filter, expression: event.currentTarget.value }))}
          />
          <TextInput
            flex={1}
            label="Value"
            placeholder="{{ServiceName}}"
            value={filter.template}
            onChange={(event) => setFilters(filters.with(index, { ...filter, template: event.currentTarget.value }))}
            error={linkTemplateProblem(filter.template)}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            mb={4}
            aria-label={`Remove filter ${index + 1} of the link`}
            onClick={() => setFilters(filters.filter((_, place) => place !== index))}
          >
            <IconTrash size={15} />
          </ActionIcon>
        </Group>
      ))}
      <Group>
        <Button
          variant="default"
          onClick={() => setFilters([...filters, { kind: 'expressionTemplate', expression: '', template: '' }])}
        >
          Add filter value
        </Button>
      </Group>
    </>
  );
}

const byName = '';

/** A source or dashboard, or the name that a row gives. */
function TargetField({ value, onChange }: InsideFieldsProps) {
  const sources = useSources();
  const dashboards = useQuery({ ...dashboardsQuery, enabled: value.type === 'dashboard' }).data ?? [];
  const isSearch = value.type === 'search';
  const known = isSearch ? sources.filter(({ kind }) => kind === 'log' || kind === 'trace') : dashboards;
  const { target } = value;
  const isMissing = target.mode === 'id' && target.id === '';
  const choose = (id: string | null) => {
    if (id === null) return;
    onChange({ ...value, target: id === byName ? { mode: 'template', template: '{{Name}}' } : { mode: 'id', id } });
  };
  return (
    <>
      <Select
        label={isSearch ? 'Source' : 'Dashboard'}
        placeholder="Choose one"
        searchable
        data={[
          { value: byName, label: 'By the name in the row' },
          ...known.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={target.mode === 'template' ? byName : isMissing ? null : target.id}
        onChange={choose}
        allowDeselect={false}
        error={isMissing ? 'Choose where the rows lead.' : undefined}
      />
      {target.mode === 'template' ? (
        <TextInput
          label="Name"
          value={target.template}
          onChange={(event) =>
            onChange({ ...value, target: { mode: 'template', template: event.currentTarget.value } })
          }
          error={linkTemplateProblem(target.template)}
        />
      ) : null}
    </>
  );
}

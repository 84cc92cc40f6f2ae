import { Group, MultiSelect, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import classes from './Filters.module.css';
import { filterValuesQuery } from './filter-queries.ts';

export interface FilterPickerProps {
  filter: DashboardFilter;
  range: ResolvedRange;
  /** Of the dashboard; the rows that values are taken from may depend on them. */
  variables: readonly TileVariable[];
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** Values of one filter: those that occur are offered, and any other can be typed. */
export function FilterPicker({ filter, range, variables, values, onChange }: FilterPickerProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const [prefix] = useDebouncedValue(typed.trim(), 200);
  const offered = useQuery({ ...filterValuesQuery(filter, range, prefix, variables), enabled: isOpen });
  const counts = new Map((offered.data ?? []).map(({ value, count }) => [value, count]));
  const own = typed.trim();
  const data = [...new Set([...values, ...counts.keys(), ...(own === '' ? [] : [own])])].filter(
    (value) => value !== '',
  );
  return (
    <MultiSelect
      className={classes.picker ?? ''}
      size="xs"
      label={filter.name}
      placeholder={values.length === 0 ? 'Any' : undefined}
      data={data}
      value={[...values]}
      onChange={onChange}
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => {
        setOpen(false);
        setTyped('');
      }}
      nothingFoundMessage={offered.error?.message ?? (offered.isFetching ? 'Loading values…' : 'No values')}
      renderOption={({ option }) => (
        <Group justify="space-between" gap={8} wrap="nowrap" w="100%">
          <span className={classes.value}>{option.value}</span>
          <Text size="xs" c="var(--sb-muted)">
            {counts.get(option.value)?.toLocaleString('en-US') ?? (option.value === own ? 'as typed' : '')}
          </Text>
        </Group>
      )}
      maxDropdownHeight={280}
      hidePickedOptions
      clearable
      clearButtonProps={{ 'aria-label': `Any ${filter.name}` }}
    />
  );
}

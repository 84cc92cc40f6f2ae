import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { DashboardFilter } from '../../../../src/contract/dashboard-filter.ts';
import { useUrlState } from '../../url-state.ts';
import type { ResolvedRange } from '../time-range/time-range.ts';
import { FilterPicker } from './FilterPicker.tsx';
import classes from './Filters.module.css';
import { type ChosenValues, choiceInUrl, tileVariables } from './filter-state.ts';

export interface FilterBarProps {
  filters: readonly DashboardFilter[];
  chosen: ChosenValues;
  range: ResolvedRange;
  onEdit: () => void;
}

/** The dashboard's filters and variables above its tiles; the chosen values are in the URL. */
export function FilterBar({ filters, chosen, range, onEdit }: FilterBarProps) {
  const [, change] = useUrlState();
  if (filters.length === 0) return null;
  const variables = tileVariables(filters, chosen);
  const clear = () => change(Object.assign({}, ...filters.map(({ id }) => choiceInUrl(id, []))));
  return (
    <section className={classes.bar} aria-label="Filters">
      {filters.map((filter) => (
        <FilterPicker
          key={filter.id}
          filter={filter}
          range={range}
          variables={variables}
          values={chosen.get(filter.id) ?? []}
          onChange={(values) => change(choiceInUrl(filter.id, values))}
        />
      ))}
      <Group gap={4} className={classes.actions ?? ''}>
        <Tooltip label="Edit filters">
          <ActionIcon variant="default" size={30} aria-label="Edit filters" onClick={onEdit}>
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
        {chosen.size > 0 ? (
          <Button variant="subtle" onClick={clear}>
            Clear filters
          </Button>
        ) : null}
      </Group>
    </section>
  );
}

import { Code, Switch, Text } from '@mantine/core';
import { useUrlState } from '../../url-state.ts';
import classes from './Filters.module.css';
import { hasSaved, type SavedFilters } from './saved-filters.ts';

/** The query and the conditions that were saved with the dashboard, with a switch to look at it without them. */
export function SavedFilterBar({ saved }: { saved: SavedFilters }) {
  const [url, change] = useUrlState();
  if (!hasSaved(saved)) return null;
  const isOn = url.saved !== 'off';
  const texts = [saved.condition?.where, ...saved.filters.map(({ condition }) => condition)].filter(
    (text) => text !== undefined,
  );
  return (
    <section className={classes.saved} aria-label="Saved with this dashboard">
      <Switch
        size="xs"
        label="Saved filters"
        checked={isOn}
        onChange={(event) => change({ saved: event.currentTarget.checked ? undefined : 'off' })}
      />
      {texts.map((text) => (
        <Code key={text} className={isOn ? '' : classes.unused}>
          {text}
        </Code>
      ))}
      {isOn ? null : (
        <Text size="xs" c="var(--sb-muted)">
          not applied
        </Text>
      )}
    </section>
  );
}

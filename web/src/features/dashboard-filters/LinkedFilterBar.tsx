import { Button, Code, Text } from '@mantine/core';
import { useUrlState } from '../../url-state.ts';
import classes from './Filters.module.css';
import { linkedFilters } from './saved-filters.ts';

/** What a link to this dashboard narrows it to, until that is removed. */
export function LinkedFilterBar() {
  const [url, change] = useUrlState();
  const [linked] = linkedFilters(url);
  if (!linked) return null;
  return (
    <section className={classes.saved} aria-label="Filter of the link">
      <Text size="xs">Filter of the link</Text>
      <Code>{linked.condition}</Code>
      <Button variant="default" size="compact-xs" onClick={() => change({ where: undefined, lang: undefined })}>
        Remove
      </Button>
    </section>
  );
}

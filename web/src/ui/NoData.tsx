import { Text } from '@mantine/core';
import classes from './NoData.module.css';

/** In place of every chart and table that has nothing to show: an axis without data looks like a value of zero. */
export function NoData() {
  return (
    <div className={classes.room}>
      <Text size="sm" c="var(--sb-muted)">
        No data in this range
      </Text>
    </div>
  );
}

import { Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './Panel.module.css';

export interface PanelProps {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** A bordered surface with an optional heading, for forms and tables. Takes the focus of elements removed from it. */
export function Panel({ title, description, actions, children }: PanelProps) {
  return (
    <section className={classes.panel} aria-label={title} tabIndex={-1}>
      {title || actions ? (
        <Group justify="space-between" align="flex-start" className={classes.head ?? ''}>
          <div>
            {title ? <Title order={2}>{title}</Title> : null}
            {description ? (
              <Text size="sm" className={classes.description ?? ''}>
                {description}
              </Text>
            ) : null}
          </div>
          {actions ? <Group gap={8}>{actions}</Group> : null}
        </Group>
      ) : null}
      {children}
    </section>
  );
}

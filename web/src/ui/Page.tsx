import { Group, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './Page.module.css';

export interface PageProps {
  title: string;
  /** A `CrumbLink` to each page that this one is in, the outermost first. */
  crumbs?: ReactNode;
  /** Beside the title, at the right: what can be done here. */
  actions?: ReactNode;
  /** Text-like pages are easier to read when they are not as wide as the screen. */
  narrow?: boolean;
  children: ReactNode;
}

/** A page's title (also in the browser's tab), its actions and its body, with the margins of all pages. */
export function Page({ title, crumbs, actions, narrow = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Signalbox`;
  }, [title]);
  return (
    <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
      <Group justify="space-between" className={classes.head ?? ''}>
        <div className={classes.title}>
          {crumbs ? (
            <nav aria-label="Breadcrumbs" className={classes.crumbs}>
              {crumbs}
            </nav>
          ) : null}
          <Title order={1}>{title}</Title>
        </div>
        {actions ? <Group gap={8}>{actions}</Group> : null}
      </Group>
      {children}
    </div>
  );
}

import { Anchor, Group, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import classes from './Page.module.css';

export interface Crumb {
  label: string;
  to: string;
}

export interface PageProps {
  title: string;
  /** Pages that this one is in, the outermost first. */
  crumbs?: readonly Crumb[];
  /** Beside the title, at the right: what can be done here. */
  actions?: ReactNode;
  /** Text-like pages are easier to read when they are not as wide as the screen. */
  narrow?: boolean;
  children: ReactNode;
}

/** A page's title (also in the browser's tab), its actions and its body, with the margins of all pages. */
export function Page({ title, crumbs = [], actions, narrow = false, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Signalbox`;
  }, [title]);
  return (
    <div className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
      <Group justify="space-between" className={classes.head ?? ''}>
        <div className={classes.title}>
          {crumbs.length > 0 ? (
            <nav aria-label="Breadcrumbs" className={classes.crumbs}>
              {crumbs.map(({ label, to }) => (
                <Anchor key={to} component={Link} to={to} size="xs">
                  {label}
                </Anchor>
              ))}
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

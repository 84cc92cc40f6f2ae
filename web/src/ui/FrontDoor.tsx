import { Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import classes from './FrontDoor.module.css';
import { Logo } from './Logo.tsx';

/** The frame of pages before the log-in: one quiet box in the middle. */
export function FrontDoor({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Signalbox`;
  }, [title]);
  return (
    <main className={classes.room}>
      <Stack className={classes.box ?? ''} gap={14}>
        <Logo />
        <Title order={1}>{title}</Title>
        {children}
      </Stack>
    </main>
  );
}

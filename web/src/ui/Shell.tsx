import {
  ActionIcon,
  Burger,
  Group,
  Menu,
  ScrollArea,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLogout, IconMoon, IconSun, IconUserCircle } from '@tabler/icons-react';
import { useLocation, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSession, useSessionChanges } from '../api/session.ts';
import { basePath, service } from '../boot.ts';
import { useUrlState } from '../url-state.ts';
import { Logo } from './Logo.tsx';
import { MenuItemLink, NavigationLink } from './links.tsx';
import classes from './Shell.module.css';
import { type Section, sections } from './sections.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { ZoneMenu } from './ZoneMenu.tsx';

export interface ShellProps {
  /** Above the navigation: what it is the navigation of, where there are several. */
  place: ReactNode;
  /** Beside the link to the alerts. */
  alertMark: ReactNode;
  /** Above the navigation: leads anywhere. `short` is for the narrow head of a telephone. */
  jump: (short: boolean) => ReactNode;
  /** The page. */
  children: ReactNode;
}

/** The frame of every page behind the log-in: navigation at the side, the account at its foot. */
export function Shell({ place, alertMark, jump, children }: ShellProps) {
  const [opened, { toggle, close }] = useDisclosure();
  const isAlone = useIsAlone();
  useKeptFocus();
  return (
    <>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      {isAlone ? null : (
        <>
          <header className={classes.header}>
            <Burger opened={opened} onClick={toggle} size="sm" aria-label="Navigation" />
            <Logo />
            <div className={classes.zoneOfHeader}>
              {jump(true)}
              <ZoneMenu short />
            </div>
          </header>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: it only closes what a choice in it has left */}
          <aside aria-label="Sidebar" className={classes.navbar} data-open={opened} onClick={close}>
            <Group className={classes.brand} visibleFrom="sm">
              <Logo />
            </Group>
            {place}
            <div className={classes.jump}>{jump(false)}</div>
            <ScrollArea className={classes.sections}>
              <nav aria-label="Main">
                {sections.map((section) => (
                  <SectionLink key={section.to} {...section} mark={section.to === '/alerts' ? alertMark : undefined} />
                ))}
              </nav>
            </ScrollArea>
            <div className={classes.zone}>
              <ZoneMenu />
            </div>
            <AccountMenu />
          </aside>
        </>
      )}
      <main id="main" className={isAlone ? `${classes.main} ${classes.alone}` : classes.main} tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** On a wall screen the page is alone (`kiosk` in the address). */
function useIsAlone(): boolean {
  return useUrlState()[0].kiosk === '1';
}

function SectionLink({ label, to, Icon, mark }: Section & { mark: ReactNode }) {
  const path = useLocation({ select: (location) => location.pathname });
  const active = path === to || (to !== '/' && path.startsWith(`${to}/`));
  return (
    <NavigationLink
      to={to}
      label={label}
      active={active}
      aria-current={active ? 'page' : undefined}
      leftSection={<Icon size={17} stroke={1.7} />}
      rightSection={mark}
      className={classes.section ?? ''}
    />
  );
}

function AccountMenu() {
  const session = useSession();
  const { logOut } = useSessionChanges();
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  // What is seen: the choice may be left to the system.
  const isDark = useComputedColorScheme() === 'dark';
  const leave = async () => {
    await logOut();
    // The pages of a service have no log-in among them.
    if (service) location.assign(`${basePath}login`);
    else await navigate({ to: '/login' });
  };
  return (
    <div className={classes.account}>
      <Menu position="top-start" width={220}>
        <Menu.Target>
          <button
            type="button"
            className={classes.accountButton}
            aria-label={`Account ${session?.user?.name ?? session?.user?.email ?? ''}`}
          >
            <IconUserCircle size={18} stroke={1.7} />
            <Text size="xs" truncate>
              {session?.user?.name ?? session?.user?.email ?? ''}
            </Text>
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{session?.team?.name ?? session?.user?.email}</Menu.Label>
          <MenuItemLink to="/account" leftSection={<IconUserCircle size={15} />}>
            Account
          </MenuItemLink>
          <Menu.Item onClick={leave} leftSection={<IconLogout size={15} />}>
            Log out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
        aria-label={isDark ? 'Use light colours' : 'Use dark colours'}
      >
        {isDark ? <IconSun size={16} /> : <IconMoon size={16} />}
      </ActionIcon>
    </div>
  );
}

import {
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
  Menu,
  type MenuItemProps,
  NavLink,
  type NavLinkProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

/** Props of a Mantine component that renders an `<a>`; `createLink` adds the typed `to`, `params` and `search`. */
type OnAnchor<Own> = Own & Omit<ComponentPropsWithRef<'a'>, keyof Own>;

// Given the router's `Link` as their `component`, Mantine's components would drop the types of the routes.

/** A link in running text or in a table. */
export const AnchorLink = createLink((props: OnAnchor<AnchorProps>) => <Anchor {...props} />);

/** Above a page's title, to a page that it is in. */
export const CrumbLink = createLink((props: OnAnchor<AnchorProps>) => <Anchor size="xs" {...props} />);

/** The same to a page of another document: from a service to its organization. */
export function CrumbAnchor(props: OnAnchor<AnchorProps>) {
  return <Anchor size="xs" {...props} />;
}

/** A link that looks like a button. */
export const ButtonLink = createLink((props: OnAnchor<ButtonProps>) => <Button component="a" {...props} />);

/** A link in a menu, which closes with it. */
export const MenuItemLink = createLink((props: OnAnchor<MenuItemProps>) => <Menu.Item component="a" {...props} />);

/** A link in the navigation at the side. */
export const NavigationLink = createLink((props: OnAnchor<NavLinkProps>) => <NavLink component="a" {...props} />);

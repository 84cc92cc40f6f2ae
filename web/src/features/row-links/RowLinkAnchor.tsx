import { Anchor, VisuallyHidden } from '@mantine/core';
import { IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { AnchorLink } from '../../ui/links.tsx';
import type { RowLink } from './row-link.ts';

/** A cell that leads where its row leads; as it is, with the reason, where the row leads nowhere. */
export function RowLinkAnchor({ link, children }: { link: RowLink; children: ReactNode }) {
  switch (link.kind) {
    case 'search':
      return (
        <AnchorLink to="/search" search={link.search} size="xs">
          {children}
        </AnchorLink>
      );
    case 'dashboard':
      return (
        <AnchorLink
          to="/dashboards/$dashboardId"
          params={{ dashboardId: link.dashboardId }}
          search={link.search}
          size="xs"
        >
          {children}
        </AnchorLink>
      );
    case 'external':
      return (
        <Anchor href={link.href} target="_blank" rel="noopener noreferrer" size="xs">
          {children} <IconExternalLink size={11} aria-hidden />
          <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
        </Anchor>
      );
    case 'none':
      return (
        <span title={link.reason}>
          {children}
          <VisuallyHidden> {link.reason}</VisuallyHidden>
        </span>
      );
  }
}

import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { OnClick } from '../../../../src/contract/on-click.ts';
import type { Tile } from '../../../../src/contract/tile.ts';
import type { TileColumn } from '../../../../src/contract/tile-query.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { dashboardsQuery } from '../dashboards/dashboard-queries.ts';
import { useSources } from '../where-editor/source-queries.ts';
import type { LinkCell } from './render-link.ts';
import { type RowLink, rowLink } from './row-link.ts';

/** Links of the rows of a table. */
export type RowLinks = (columns: readonly TileColumn[], row: readonly LinkCell[]) => RowLink;

const noDashboards: readonly Dashboard[] = [];

/** The links that a table gives its rows; `undefined` if it gives none, or as long as it is not known where they lead. */
export function useRowLinks(tile: Pick<Tile, 'config'>, variables: readonly TileVariable[]): RowLinks | undefined {
  const onClick = onClickOf(tile);
  const sources = useSources();
  const needsDashboards = onClick?.type === 'dashboard';
  const { data: dashboards = noDashboards, isPending } = useQuery({ ...dashboardsQuery, enabled: needsDashboards });
  const isKnown = needsDashboards ? !isPending : onClick?.type === 'external' || sources.length > 0;
  const link = useCallback<RowLinks>(
    (columns, row) => {
      if (!onClick) return { kind: 'none', reason: '' };
      const cells = new Map(columns.map(({ name }, index) => [name, row[index] ?? null]));
      return rowLink(onClick, cells, { sources, dashboards, variables });
    },
    [onClick, sources, dashboards, variables],
  );
  return onClick && isKnown ? link : undefined;
}

function onClickOf({ config }: Pick<Tile, 'config'>): OnClick | undefined {
  return config && 'onClick' in config ? config.onClick : undefined;
}

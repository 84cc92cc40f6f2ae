import type { Container } from '../../contract/dashboard.ts';
import type { Problem } from '../../contract/problem.ts';
import type { Dashboard } from './dashboard.ts';

/** Container and tab ids are unique, and tiles refer to existing ones (contract §2.6). */
export function checkContainers({ containers = [], tiles }: Dashboard): Problem[] {
  const byId = new Map(containers.map((container) => [container.id, container]));
  const repeated = repeatedIds(containers).map((index) => ({
    path: `containers.${index}.id`,
    message: 'is used by another container',
  }));
  const tabs = containers.flatMap(({ tabs: own = [] }, index) =>
    repeatedIds(own).map((tab) => ({ path: `containers.${index}.tabs.${tab}.id`, message: 'is used by another tab' })),
  );
  const places = tiles.flatMap((tile, index) =>
    checkPlace(tile, byId).map(({ path, message }) => ({ path: `tiles.${index}.${path}`, message })),
  );
  return [...repeated, ...tabs, ...places];
}

function checkPlace(
  { containerId, tabId }: { containerId?: string; tabId?: string },
  containers: ReadonlyMap<string, Container>,
): Problem[] {
  if (containerId === undefined) {
    return tabId === undefined ? [] : [{ path: 'tabId', message: 'needs containerId' }];
  }
  const container = containers.get(containerId);
  if (!container) return [{ path: 'containerId', message: `there is no container ${JSON.stringify(containerId)}` }];
  const known = tabId === undefined || container.tabs?.some((tab) => tab.id === tabId);
  return known ? [] : [{ path: 'tabId', message: `there is no tab ${JSON.stringify(tabId)} in this container` }];
}

/** Indexes of items that repeat an earlier id. */
export function repeatedIds(items: readonly { id?: string }[]): number[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, index) => {
    if (id === undefined) return [];
    if (seen.has(id)) return [index];
    seen.add(id);
    return [];
  });
}

import type { ImportContext } from './import-context.ts';
import { isObject, objectOf, textOf } from './json-values.ts';

/** Where table rows lead, with what exists here; a dashboard that does not is looked for by its name. */
export function takenClick(onClick: unknown, context: ImportContext): { onClick?: object } {
  if (!isObject(onClick)) return {};
  const target = objectOf(onClick.target);
  if (target.mode !== 'id') return { onClick };
  const key = textOf(target.id);
  if (onClick.type === 'search')
    return { onClick: { ...onClick, target: { mode: 'id', id: context.source({ key }) } } };
  if (onClick.type !== 'dashboard' || context.known.dashboards.some(({ id }) => id === key)) return { onClick };
  return { onClick: { ...onClick, target: { mode: 'template', template: context.nameOf(key) } } };
}

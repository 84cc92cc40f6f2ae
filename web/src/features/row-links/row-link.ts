import type { Dashboard } from '../../../../src/contract/dashboard.ts';
import type { OnClick } from '../../../../src/contract/on-click.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { choiceInUrl } from '../dashboard-filters/filter-state.ts';
import { oneOf } from '../dashboards/events-of.ts';
import type { WhereLanguage } from '../search/where-clause.ts';
import { fieldOf } from '../search/where-clause.ts';
import { LinkError, type LinkRow, renderCondition, renderText, renderUrl } from './render-link.ts';

/** Where the link of a row leads, or why it leads nowhere. */
export type RowLink =
  | { kind: 'search'; search: { source: string; where: string; lang: WhereLanguage } }
  | { kind: 'dashboard'; dashboardId: string; search: Record<string, string> }
  | { kind: 'external'; href: string }
  | { kind: 'none'; reason: string };

/** What links can lead to, and what the dashboard's variables are at the moment. */
export interface LinkTargets {
  sources: readonly { id: string; name: string; kind: string }[];
  dashboards: readonly Pick<Dashboard, 'id' | 'name' | 'filters'>[];
  variables: readonly TileVariable[];
}

type Inside = Exclude<OnClick, { type: 'external' }>;
interface Named {
  id: string;
  name: string;
}

/** The link of one row of a table. */
export function rowLink(onClick: OnClick, row: LinkRow, targets: LinkTargets): RowLink {
  try {
    if (onClick.type === 'external') return { kind: 'external', href: renderUrl(onClick.urlTemplate, row) };
    return onClick.type === 'search' ? searchLink(onClick, row, targets) : dashboardLink(onClick, row, targets);
  } catch (error) {
    // What is stored may be older than the rules that templates are checked by.
    return { kind: 'none', reason: error instanceof Error ? error.message : String(error) };
  }
}

function searchLink(onClick: Inside, row: LinkRow, targets: LinkTargets): RowLink {
  const { id, kind } = targetOf(onClick, { row, known: targets.sources, what: 'source' });
  if (kind !== 'log' && kind !== 'trace') throw new LinkError('Only sources of logs and traces can be searched.');
  const { where, lang } = conditionOf(onClick, { row, targets, chosen: valuesOf(onClick, row) });
  return { kind: 'search', search: { source: id, where, lang } };
}

function dashboardLink(onClick: Inside, row: LinkRow, targets: LinkTargets): RowLink {
  const { id, filters = [] } = targetOf(onClick, { row, known: targets.dashboards, what: 'dashboard' });
  const search: Record<string, string> = {};
  const rest = new Map<string, string[]>();
  for (const [expression, values] of valuesOf(onClick, row)) {
    const filter = filters.find((one) => one.expression.trim() === expression);
    if (filter) Object.assign(search, choiceInUrl(filter.id, values));
    else rest.set(expression, values);
  }
  const { where, lang } = conditionOf(onClick, { row, targets, chosen: rest });
  return { kind: 'dashboard', dashboardId: id, search: where === '' ? search : { ...search, where, lang } };
}

interface Looking<Known> {
  row: LinkRow;
  known: readonly Known[];
  what: string;
}

/** The one with the id, or the only one whose name the row gives. */
function targetOf<Known extends Named>({ target }: Inside, { row, known, what }: Looking<Known>): Known {
  if (target.mode === 'id') {
    const found = known.find(({ id }) => id === target.id);
    if (!found) throw new LinkError(`The ${what} that this leads to does not exist.`);
    return found;
  }
  const name = renderText(target.template, row).trim();
  const [found, ...others] = known.filter((one) => one.name === name);
  if (!found) throw new LinkError(`There is no ${what} “${name}”.`);
  if (others.length > 0) throw new LinkError(`There are several ${what}s “${name}”.`);
  return found;
}

/** Values by expression; those of one expression are alternatives. */
function valuesOf({ filters = [] }: Inside, row: LinkRow): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const { expression, template } of filters) {
    const key = expression.trim();
    values.set(key, [...new Set([...(values.get(key) ?? []), renderText(template, row)])]);
  }
  return values;
}

interface Conditions {
  row: LinkRow;
  targets: LinkTargets;
  chosen: ReadonlyMap<string, readonly string[]>;
}

/** The condition of the template and the chosen values, in one language. */
function conditionOf({ whereTemplate = '', whereLanguage = 'lucene' }: Inside, { row, targets, chosen }: Conditions) {
  const fields = [...chosen].map(([expression, values]) => ({ field: fieldOf(expression), values }));
  const { variables } = targets;
  const where = renderCondition(whereTemplate, whereLanguage, { row, variables }).trim();
  const sqlOnly = fields.find(({ field }) => field.name === '');
  if (sqlOnly && whereLanguage === 'lucene' && where !== '') {
    throw new LinkError(`The filter by ${sqlOnly.field.sql} needs SQL, but the condition is written in Lucene.`);
  }
  const lang: WhereLanguage = sqlOnly ? 'sql' : whereLanguage;
  const own = where === '' ? [] : [fields.length > 0 ? `(${where})` : where];
  const parts = [...own, ...fields.map(({ field, values }) => oneOf(field, values, lang))];
  return { where: parts.join(lang === 'sql' ? ' AND ' : ' '), lang };
}

import { linkTemplateProblem, urlTemplateProblem } from '../../contract/link-template.ts';
import type { OnClick } from '../../contract/on-click.ts';
import type { Problem } from '../../contract/problem.ts';
import type { TileConfig } from '../../contract/tile-config.ts';

/** Templates of a row link that can't be read, and addresses that would not be of the web. Paths are relative to the tile. */
export function checkRowLink(config: TileConfig): Problem[] {
  const click = 'onClick' in config ? config.onClick : undefined;
  if (!click) return [];
  if (click.type === 'external') {
    const message = urlTemplateProblem(click.urlTemplate);
    return message === undefined ? [] : [{ path: 'config.onClick.urlTemplate', message }];
  }
  return templatesOf(click).flatMap(([path, template]) => {
    const message = linkTemplateProblem(template);
    return message === undefined ? [] : [{ path: `config.onClick.${path}`, message }];
  });
}

function templatesOf({ target, whereTemplate, filters = [] }: Exclude<OnClick, { type: 'external' }>) {
  const templates: [path: string, template: string][] = [];
  if (target.mode === 'template') templates.push(['target.template', target.template]);
  if (whereTemplate !== undefined) templates.push(['whereTemplate', whereTemplate]);
  filters.forEach(({ template }, index) => {
    templates.push([`filters.${index}.template`, template]);
  });
  return templates;
}

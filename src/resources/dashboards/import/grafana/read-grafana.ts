import { limits } from '../../../../contract/limits.ts';
import { type ImportContext, NotTaken } from '../import-context.ts';
import { tileLabel } from '../import-tiles.ts';
import { isObject, type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';
import { grafanaLayout, type PlacedPanel } from './grafana-layout.ts';
import { type PanelContext, panelConfigs } from './grafana-panel.ts';
import { grafanaVariables } from './grafana-variables.ts';

/** Narrower tiles can't be read. */
const narrowest = 4;

/** The body of a Grafana dashboard: its panels that read ClickHouse become tiles of raw SQL. */
export function readGrafana(document: JsonObject, context: ImportContext): Record<string, unknown> {
  const dashboard = isObject(document.dashboard) ? document.dashboard : document;
  const { variables, filters, dataSources } = grafanaVariables(dashboard, context);
  const { panels, containers } = grafanaLayout(dashboard);
  const tiles = panels.flatMap((placed, index) => {
    const label = tileLabel(textOf(placed.panel.title), index);
    return tilesOfPanel(placed, { context, variables, dataSources, label });
  });
  if (objectsOf(objectOf(dashboard.annotations).list).some(({ enable, builtIn }) => enable === true && builtIn !== 1)) {
    context.leftOut('Annotations', 'There are none here.');
  }
  const tags = (Array.isArray(dashboard.tags) ? dashboard.tags : []).map((tag) => textOf(tag).slice(0, 32));
  return {
    name: textOf(dashboard.title),
    tags: tags.filter((tag) => tag !== '').slice(0, 50),
    tiles,
    ...(filters.length > 0 && { filters }),
    ...(containers.length > 0 && { containers }),
  };
}

/** One tile per statement, side by side. */
function tilesOfPanel({ panel, containerId, place }: PlacedPanel, deps: PanelContext): object[] {
  const { context, label } = deps;
  try {
    const configs = panelConfigs(panel, deps);
    const width = Math.max(narrowest, Math.floor(place.w / configs.length));
    const perRow = Math.max(1, Math.floor(place.w / width));
    if (configs.length > 1) context.changed(label, `It has ${configs.length} queries, each of which is a tile here.`);
    const name = textOf(panel.title);
    const description = textOf(panel.description).slice(0, limits.tileDescriptionLength);
    return configs.map((config, index) => ({
      name: configs.length === 1 ? name : `${name} ${letterOf(index)}`.trim(),
      ...(configs.length === 1
        ? place
        : {
            ...place,
            x: place.x + (index % perRow) * width,
            y: place.y + Math.floor(index / perRow) * place.h,
            w: Math.min(width, place.w),
          }),
      ...(containerId !== undefined && { containerId }),
      ...(description !== '' && { description }),
      config,
    }));
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    context.leftOut(label, error.message);
    return [];
  }
}

function letterOf(index: number): string {
  return index < 26 ? String.fromCharCode(65 + index) : String(index + 1);
}

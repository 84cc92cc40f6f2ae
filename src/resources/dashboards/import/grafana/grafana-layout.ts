import { integerOf, type JsonObject, objectOf, objectsOf, textOf } from '../json-values.ts';

export interface PlacedPanel {
  panel: JsonObject;
  containerId: string | undefined;
  place: { x: number; y: number; w: number; h: number };
}

export interface GrafanaLayout {
  panels: PlacedPanel[];
  containers: { id: string; title: string; collapsed: boolean }[];
}

/** Panels in the order of the page. A row is a section: of the panels in it if it is collapsed, else of those below it. */
export function grafanaLayout(document: JsonObject): GrafanaLayout {
  const panels: PlacedPanel[] = [];
  const containers: GrafanaLayout['containers'] = [];
  let container: string | undefined;
  let top = 0;
  const add = (panel: JsonObject) => panels.push({ panel, containerId: container, place: placeBelow(panel, top) });
  const sorted = objectsOf(document.panels).toSorted((a, b) => rowOf(a) - rowOf(b));
  for (const panel of sorted) {
    if (panel.type !== 'row') {
      add(panel);
      continue;
    }
    container = `row-${containers.length + 1}`;
    top = rowOf(panel) + 1;
    const title = textOf(panel.title).trim() || `Row ${containers.length + 1}`;
    containers.push({ id: container, title: title.slice(0, 256), collapsed: panel.collapsed === true });
    for (const inner of objectsOf(panel.panels)) add(inner);
  }
  return { panels, containers };
}

function rowOf(panel: JsonObject): number {
  return integerOf(objectOf(panel.gridPos).y) ?? 0;
}

function placeBelow(panel: JsonObject, top: number): PlacedPanel['place'] {
  const { x, y, w, h } = objectOf(panel.gridPos);
  const width = within(integerOf(w) ?? 12, 1, 24);
  return {
    x: within(integerOf(x) ?? 0, 0, 24 - width),
    y: within((integerOf(y) ?? 0) - top, 0, 50_000),
    w: width,
    h: within(integerOf(h) ?? 8, 1, 1000),
  };
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

import type { ServiceEdge, ServiceMap, ServiceNodeRef } from '../../../../src/contract/services.ts';

export interface PlacedNode {
  key: string;
  node: ServiceNodeRef;
  x: number;
  y: number;
}

/** All calls between two nodes, measured on either side. */
export interface DrawnEdge {
  key: string;
  from: PlacedNode;
  to: PlacedNode;
  requests: number;
  errors: number;
}

export interface MapLayout {
  nodes: PlacedNode[];
  edges: DrawnEdge[];
  width: number;
  height: number;
}

export const nodeSize = { width: 168, height: 44 };
const gap = { x: 96, y: 16 };
const margin = 16;
/** Sweeps that bring connected nodes near each other. */
const sweeps = 4;

export function nodeKey({ kind, name }: ServiceNodeRef): string {
  return `${kind} ${name}`;
}

/** Callers at the left of what they call; edges that close a circle lead back. */
export function layOut({ nodes, edges }: ServiceMap): MapLayout {
  const drawn = mergeEdges(edges);
  const layers = orderLayers(layersOf(nodes, drawn), drawn);
  const height = Math.max(0, ...layers.map(({ length }) => length)) * (nodeSize.height + gap.y) - gap.y;
  const placed = layers.flatMap((layer, column) => {
    const free = height - (layer.length * (nodeSize.height + gap.y) - gap.y);
    return layer.map((key, row) => ({
      key,
      x: margin + column * (nodeSize.width + gap.x),
      y: margin + free / 2 + row * (nodeSize.height + gap.y),
    }));
  });
  const byKey = new Map(nodes.map((node) => [nodeKey(node), node]));
  const withNodes = placed.flatMap(({ key, x, y }) => {
    const node = byKey.get(key);
    return node ? [{ key, node, x, y }] : [];
  });
  const places = new Map(withNodes.map((node) => [node.key, node]));
  return {
    nodes: withNodes,
    edges: drawn.flatMap(({ from, to, requests, errors }) => {
      const [start, end] = [places.get(from), places.get(to)];
      return start && end ? [{ key: `${from} → ${to}`, from: start, to: end, requests, errors }] : [];
    }),
    width: 2 * margin + layers.length * (nodeSize.width + gap.x) - gap.x,
    height: 2 * margin + height,
  };
}

interface Link {
  from: string;
  to: string;
  requests: number;
  errors: number;
}

function mergeEdges(edges: readonly ServiceEdge[]): Link[] {
  const links = new Map<string, Link>();
  for (const edge of edges) {
    const [from, to] = [nodeKey(edge.from), nodeKey(edge.to)];
    const { requests = 0, errors = 0 } = links.get(`${from} → ${to}`) ?? {};
    links.set(`${from} → ${to}`, { from, to, requests: requests + edge.requests, errors: errors + edge.errors });
  }
  return [...links.values()];
}

/** Each node one layer beyond the last of its callers, as far as there is no circle. */
function layersOf(nodes: readonly ServiceNodeRef[], links: readonly Link[]): string[][] {
  const forward = withoutCircles(nodes.map(nodeKey), links);
  const layerOf = new Map<string, number>();
  const callersOf = groupBy(forward, ({ to }) => to);
  const depth = (key: string): number => {
    const known = layerOf.get(key);
    if (known !== undefined) return known;
    const found = Math.max(0, ...(callersOf.get(key) ?? []).map(({ from }) => depth(from) + 1));
    layerOf.set(key, found);
    return found;
  };
  const layers: string[][] = [];
  for (const node of nodes) {
    const key = nodeKey(node);
    const layer = layers[depth(key)] ?? [];
    layers[depth(key)] = [...layer, key];
  }
  return Array.from(layers, (layer) => layer ?? []);
}

/** Edges that do not lead back to a node on the way to them; nodes without callers are visited first. */
function withoutCircles(keys: readonly string[], links: readonly Link[]): Link[] {
  const callees = groupBy(links, ({ from }) => from);
  const called = new Set(links.map(({ to }) => to));
  const state = new Map<string, 'open' | 'done'>();
  const kept: Link[] = [];
  const visit = (key: string): void => {
    state.set(key, 'open');
    for (const link of callees.get(key) ?? []) {
      if (state.get(link.to) === 'open') continue;
      kept.push(link);
      if (!state.has(link.to)) visit(link.to);
    }
    state.set(key, 'done');
  };
  for (const key of [...keys.filter((each) => !called.has(each)), ...keys]) if (!state.has(key)) visit(key);
  return kept;
}

/** Orders each layer by the mean place of the neighbours in the layer before. */
function orderLayers(layers: readonly string[][], links: readonly Link[]): string[][] {
  const ordered = layers.map((layer) => [...layer]);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const places = new Map(ordered.flatMap((layer) => layer.map((key, row) => [key, row / layer.length] as const)));
    const neighbours = groupBy(
      links.flatMap(({ from, to }) => [
        { key: from, other: to },
        { key: to, other: from },
      ]),
      ({ key }) => key,
    );
    const weight = (key: string): number => {
      const rows = (neighbours.get(key) ?? []).map(({ other }) => places.get(other) ?? 0);
      return rows.length === 0 ? (places.get(key) ?? 0) : rows.reduce((sum, row) => sum + row, 0) / rows.length;
    };
    for (const layer of ordered) {
      const weights = new Map(layer.map((key) => [key, weight(key)]));
      layer.sort((a, b) => (weights.get(a) ?? 0) - (weights.get(b) ?? 0));
    }
  }
  return ordered;
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ServiceEdge, ServiceNodeRef } from '../../../../src/contract/services.ts';
import { layOut, nodeSize } from './map-layout.ts';

const figures = { requests: 3, rate: 1, errors: 1, errorShare: 0.3, p50Ms: 1, p95Ms: 1, p99Ms: 1 };
const service = (name: string): ServiceNodeRef => ({ kind: 'service', name });
const edge = (from: string, to: string, measuredBy: ServiceEdge['measuredBy'] = 'callee'): ServiceEdge => ({
  ...{ from: service(from), to: service(to), measuredBy },
  ...figures,
});

it('callers are at the left, and calls measured on both sides are one line', () => {
  const nodes = ['a', 'b', 'c', 'alone'].map(service);
  const edges = [edge('a', 'b'), edge('b', 'c'), edge('a', 'c'), edge('a', 'c', 'caller')];
  const layout = layOut({ nodes, edges });
  const x = (name: string) => layout.nodes.find(({ node }) => node.name === name)?.x ?? Number.NaN;
  expect(x('a')).toBeLessThan(x('b'));
  expect(x('b')).toBeLessThan(x('c'));
  expect(x('alone')).toBe(x('a'));
  expect(layout.edges.map(({ key, requests }) => [key, requests])).toEqual([
    ['service a → service b', 3],
    ['service b → service c', 3],
    ['service a → service c', 6],
  ]);
});

it('any graph: every node has a separate place within the picture, circles included', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names));
  fc.assert(
    fc.property(fc.array(pair), (pairs) => {
      const layout = layOut({ nodes: names.map(service), edges: pairs.map(([from, to]) => edge(from, to)) });
      expect(layout.nodes.length).toBe(names.length);
      expect(new Set(layout.nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(names.length);
      for (const { x, y } of layout.nodes) {
        expect(x + nodeSize.width).toBeLessThanOrEqual(layout.width);
        expect(y + nodeSize.height).toBeLessThanOrEqual(layout.height);
      }
      expect(layout.edges.length).toBe(new Set(pairs.map(([from, to]) => `${from} ${to}`)).size);
    }),
  );
});

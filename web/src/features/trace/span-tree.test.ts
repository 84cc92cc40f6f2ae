import { describe, expect, it } from 'vitest';
import { buildSpanTree, measureTrace, moveInTree, type Span, visibleNodes } from './span-tree.ts';

function span(spanId: string, parentSpanId: string, startNs = 0, durationNs = 100, rest: Partial<Span> = {}): Span {
  return {
    spanId,
    parentSpanId,
    startNs,
    durationNs,
    name: spanId,
    kind: 'Internal',
    service: 's',
    status: 'Unset',
    statusMessage: '',
    events: [],
    attributes: {},
    time: '2026-11-28T00:00:00Z',
    ...rest,
  };
}

const outline = (spans: Span[], collapsed = new Set<string>()) =>
  visibleNodes(buildSpanTree(spans), collapsed).map(({ span: { name }, depth }) => `${'>'.repeat(depth)}${name}`);

describe('buildSpanTree', () => {
  it('puts children below parents in the order of their start, whatever the order of arrival', () => {
    expect(outline([span('c', 'a', 50), span('b', 'a', 10), span('d', 'b', 20), span('a', '')])).toEqual([
      'a',
      '>b',
      '>>d',
      '>c',
    ]);
  });

  it('keeps spans whose parent is missing, and says so', () => {
    const roots = buildSpanTree([span('a', ''), span('b', 'gone', 5)]);
    expect(roots.map(({ span: { name }, isOrphan }) => [name, isOrphan])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });

  it.each([
    ['itself', [span('a', 'a')]],
    ['a circle', [span('a', 'b'), span('b', 'a', 1), span('c', 'b', 2)]],
    ['the same id twice', [span('a', ''), span('a', '', 1), span('b', 'a', 2)]],
  ])('loses no span to %s', (_, spans) => {
    const rows = visibleNodes(buildSpanTree(spans), new Set());
    expect(rows).toHaveLength(spans.length);
    expect(new Set(rows.map(({ key }) => key)).size).toBe(spans.length);
  });

  it('knows the time in which no child ran, counting concurrent children once', () => {
    const [root] = buildSpanTree([
      span('a', '', 0, 100),
      span('b', 'a', 10, 30),
      span('c', 'a', 20, 40),
      span('d', 'a', 90, 50),
    ]);
    expect(root?.selfNs).toBe(100 - 50 - 10);
  });
});

describe('measureTrace', () => {
  it('counts spans, errors and services', () => {
    const roots = buildSpanTree([
      span('a', '', 0, 100, { service: 'front' }),
      span('b', 'a', 10, 80, { service: 'back', status: 'Error' }),
    ]);
    expect(measureTrace(roots)).toMatchObject({
      totalNs: 100,
      spans: 2,
      errors: 1,
      depth: 2,
      services: [
        { name: 'back', selfNs: 80, spans: 1 },
        { name: 'front', selfNs: 20, spans: 1 },
      ],
      slowest: { span: { name: 'b' } },
    });
  });
});

describe('moveInTree', () => {
  const rows = buildSpanTree([span('a', ''), span('b', 'a', 1), span('c', 'a', 2)]);
  const all = visibleNodes(rows, new Set());
  const [a, b] = all.map(({ key }) => key);
  const open = new Set<string>();

  it('walks the rows and stays inside', () => {
    expect(moveInTree(all, { selected: a, collapsed: open }, 'ArrowDown').selected).toBe(b);
    expect(moveInTree(all, { selected: a, collapsed: open }, 'ArrowUp').selected).toBe(a);
    expect(moveInTree(all, { selected: undefined, collapsed: open }, 'ArrowDown').selected).toBe(a);
  });

  it('closes, opens, and goes to the parent', () => {
    const closed = moveInTree(all, { selected: a, collapsed: open }, 'ArrowLeft');
    expect([...closed.collapsed]).toEqual([a]);
    expect([...moveInTree(all, closed, 'ArrowRight').collapsed]).toEqual([]);
    expect(moveInTree(all, { selected: b, collapsed: open }, 'ArrowLeft').selected).toBe(a);
    expect(moveInTree(all, { selected: a, collapsed: open }, 'ArrowRight').selected).toBe(b);
  });
});

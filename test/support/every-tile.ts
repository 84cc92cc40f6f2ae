import type { BuilderConfig } from '../../src/contract/tile-config.ts';

/** One tile of each type, and a selector of what is there once it is drawn. `sourceOf` answers the source of a kind. */
export function everyTile(sourceOf: (kind: string) => string) {
  const sourceId = sourceOf('log');
  const select = [{ aggFn: 'count' }];
  const byService = { sourceId, select, groupBy: 'ServiceName' };
  const ofSpans = { sourceId: sourceOf('trace'), select: [{ valueExpression: 'Duration' }] };
  const types: Record<BuilderConfig['displayType'], { config: object; shows: string }> = {
    line: { config: byService, shows: 'canvas' },
    stacked_line: { config: byService, shows: 'canvas' },
    stacked_bar: { config: byService, shows: 'canvas' },
    table: { config: byService, shows: 'tbody tr' },
    number: { config: { sourceId, select, backgroundChart: { type: 'line' } }, shows: 'svg path' },
    pie: { config: byService, shows: 'li' },
    bar: { config: byService, shows: 'li' },
    heatmap: { config: ofSpans, shows: 'canvas' },
    search: { config: { sourceId, select: 'Timestamp, Body' }, shows: 'tbody tr' },
    event_patterns: { config: { sourceId, select: 'Body' }, shows: 'tbody tr' },
    markdown: { config: { markdown: '# About' }, shows: 'h1' },
  };
  return Object.entries(types).map(([displayType, { config, shows }], index) => ({
    tile: {
      ...{ name: displayType, x: (index % 3) * 8, y: Math.floor(index / 3) * 5, w: 8, h: 5 },
      config: { displayType, ...config },
    },
    shows,
  }));
}

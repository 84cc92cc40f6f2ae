import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Matches modules by parts of their paths. */
const oneOf = (...parts: string[]) => new RegExp(parts.join('|').replaceAll('/', String.raw`[\\/]`));
const mantine = (names: string) => `@mantine/core/.*/(?:${names})/`;
const source = (names: string) => `web/src/(?:${names})`;

// The files that pages share, by what loads them. A page just opened waits for few answers, and a dashboard for nothing it
// does not show: `docs/performance.md` has the figures.

/** Loaded by every page, and by what is on demand too. */
const ofEveryPage = oneOf(
  'node_modules/(?:react|react-dom|scheduler)/',
  'vite/preload-helper|@tanstack/(?!react-virtual|virtual-core)|MantineProvider|use-delayed-hover',
  '@mantine/hooks/(?!.*/use-(?:drag|pagination|debounced-value|hotkeys)/)',
  'react-remove-scroll|use-sidecar|react-style-singleton|use-callback-ref|tslib',
  mantine('Alert|Anchor|Menu|NavLink|Collapse|Accordion|Badge|Skeleton'),
  source('url-state|boot|service-place|api/(?:client|session|api-path|read-)|features/palette/key-press'),
  source('ui/(?:links|zone-choice|ErrorNotice|instant-text|page-zone|plain-problem)'),
  source('features/alerts/alert-queries'),
);
/** Needed once something is asked on a page, or for long lists. */
const onDemand = oneOf(
  mantine(
    'Modal|ModalBase|Drawer|Pagination|Checkbox|Radio|List|PasswordInput|MultiSelect|PillsInput|Pill|InlineInput|Switch',
  ),
  mantine('SegmentedControl|FloatingIndicator'),
  'react-transition-group|use-(?:pagination|debounced-value|hotkeys)/',
  source('ui/(?:ConfirmDialog|ConfirmButton|Pages|NoticeList)[.]'),
);
/** Small pieces of several pages, of which each would be a request. */
const pieces = oneOf(
  'useQueries|contract/(?:substitute-variables|split-expressions)',
  source(
    'ui/Markdown[.]|api/curl-|charts/heatmap-texts|features/(?:time-range|row-links|unsaved-changes/UnsavedChangesGuard)',
  ),
  source('features/(?:alerts/state-runs|dashboard-filters/(?:filter-state|saved-filters))'),
  source('features/dashboards/(?:favourite|Favourite|use-undo-keys|sparkline)'),
);
/** Dashboards and their charts. */
const ofDashboards = oneOf(
  source(
    'features/dashboards/(?:events-of|sections|edit-|DashboardGrid|Tile(?:Answers|Body|Notes|Grid)|(?:Number|Share|Table)Tile)',
  ),
  source('features/dashboards/(?:answer-series|share-parts)'),
);
const ofHeatmaps = oneOf(source('charts/(?:Heatmap|heatmap-grid)|features/dashboards/HeatmapTile'));
const libraries = (id: string) => id.includes('node_modules') && !onDemand.test(id);

/** Addresses in the built page are relative: the same files serve any sub-path (`<base>` is set by the server). */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: resolve(import.meta.dirname, '../dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Older targets would rewrite light-dark(), which follows the chosen colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Inlined pieces would be data: addresses, which the content security policy does not let through.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'frame', test: ofEveryPage, priority: 6 },
            { name: 'icons', test: /icons-react/, minShareCount: 2, priority: 5 },
            { name: 'libraries', test: libraries, minShareCount: 7, priority: 4 },
            { name: 'shared', test: (id) => !onDemand.test(id), minShareCount: 7, priority: 3 },
            { name: 'pieces', test: pieces, minShareCount: 2, priority: 2 },
            { name: 'dashboard', test: ofDashboards, minShareCount: 2, priority: 1 },
            { name: 'heatmap', test: ofHeatmaps, priority: 1 },
            { name: 'on-demand', test: onDemand, minShareCount: 3, priority: 0 },
          ],
        },
      },
    },
  },
});

import { expect, it } from 'vitest';
import { withoutBasePath } from './base-path.ts';

it.each([
  ['/sub/', '/sub/dashboards?x=1', '/dashboards?x=1'],
  ['/sub/', '/sub', '/'],
  ['/sub/', '/sub?x=1', '/?x=1'],
  ['/sub/', '/dashboards', '/dashboards'],
  ['/sub/', '/subway', '/subway'],
  ['/a/b/', '/a/b/assets/x.js', '/assets/x.js'],
  ['/', '/dashboards', '/dashboards'],
])('under %s, %s is %s, whether or not a proxy took the sub-path off', (basePath, url, expected) => {
  expect(withoutBasePath(url, basePath)).toBe(expected);
});

import { expect, it } from 'vitest';
import { isSameOrigin } from './same-origin.ts';

const own = { host: 'inside:8080', publicOrigin: 'https://obs.example.com' };

it.each([
  ['a program that is no browser', {}, undefined],
  ['our own page', { 'sec-fetch-site': 'same-origin' }, true],
  ['our own page behind a proxy that changes Host', { 'sec-fetch-site': 'same-origin', origin: 'https://x' }, true],
  ['our own page on plain HTTP', { origin: 'http://inside:8080' }, true],
  [
    'the page at the public URL, with its API elsewhere',
    { 'sec-fetch-site': 'cross-site', origin: own.publicOrigin },
    true,
  ],
  ['another port of this host', { origin: 'http://inside:3000' }, false],
  ['another site', { origin: 'https://evil.example' }, false],
  ['another site that the browser knows', { 'sec-fetch-site': 'cross-site', origin: 'http://inside:8080' }, false],
  ['a neighbour', { 'sec-fetch-site': 'same-site' }, false],
  ['the address bar', { 'sec-fetch-site': 'none' }, false],
  ['a sandboxed page', { origin: 'null' }, false],
])('a request of %s: %j is %j', (_who, headers, expected) => {
  expect(isSameOrigin({ headers }, own)).toBe(expected);
});

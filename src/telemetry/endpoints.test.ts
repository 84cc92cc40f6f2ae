import { describe, expect, it } from 'vitest';
import { parseEndpoints, RoundRobinEndpoints } from './endpoints.ts';

describe('SIGNALBOX_CLICKHOUSE_URL', () => {
  it('decisions S2: may be a comma-separated list; user and password are in the URL', () => {
    expect(parseEndpoints('http://ada:p%40ss@db1:8123/, https://db2/prefix/')).toEqual([
      { url: 'http://db1:8123', user: 'ada', secret: 'p@ss' },
      { url: 'https://db2/prefix' },
    ]);
  });

  it.each([
    ['db:8123', /begin with http/],
    ['http://ok, ftp://user:s3cret@db', /entry 2 must begin with http/],
    ['nonsense', /entry 1 is not a URL/],
  ])('rejects %j without repeating a secret', (text, message) => {
    expect(() => parseEndpoints(text)).toThrow(message);
    expect(() => parseEndpoints(text)).not.toThrow(/s3cret/);
  });
});

it('servers are used in turn, the others are fallbacks', () => {
  const source = new RoundRobinEndpoints([{ url: 'a' }, { url: 'b' }, { url: 'c' }]);
  const asked = Array.from({ length: 4 }, () =>
    source
      .endpoints()
      .map(({ url }) => url)
      .join(''),
  );
  expect(asked).toEqual(['abc', 'bca', 'cab', 'abc']);
  expect(new RoundRobinEndpoints([]).endpoints()).toEqual([]);
});

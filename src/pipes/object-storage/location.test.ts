import { expect, it } from 'vitest';
import { locationOf } from './location.ts';

const s3 = (bucketUrl: string, region: string, pattern: string) => ({
  kind: 's3',
  place: { bucketUrl, bucket: bucketUrl.includes('my.lake') ? 'my.lake' : 'lake', region },
  pattern,
});

it.each([
  [
    'https://lake.s3.eu-central-1.amazonaws.com/a/*.json',
    s3('https://lake.s3.eu-central-1.amazonaws.com', 'eu-central-1', 'a/*.json'),
  ],
  ['https://my.lake.s3.amazonaws.com/*', s3('https://my.lake.s3.amazonaws.com', 'us-east-1', '*')],
  ['https://lake.s3-us-west-2.amazonaws.com/*', s3('https://lake.s3-us-west-2.amazonaws.com', 'us-west-2', '*')],
  [
    'https://s3.us-west-2.amazonaws.com/lake/a?.json',
    s3('https://s3.us-west-2.amazonaws.com/lake', 'us-west-2', 'a?.json'),
  ],
  ['https://storage.googleapis.com/lake/*', s3('https://storage.googleapis.com/lake', 'auto', '*')],
  ['https://lake.storage.googleapis.com/*', s3('https://lake.storage.googleapis.com', 'auto', '*')],
  ['https://lake.fra1.digitaloceanspaces.com/*', s3('https://lake.fra1.digitaloceanspaces.com', 'fra1', '*')],
  ['https://x.r2.cloudflarestorage.com/lake/*', s3('https://x.r2.cloudflarestorage.com/lake', 'auto', '*')],
  ['https://lake.s3.gra.io.cloud.ovh.net/*', s3('https://lake.s3.gra.io.cloud.ovh.net', 'gra', '*')],
  ['http://127.0.0.1:9000/lake/a/*', s3('http://127.0.0.1:9000/lake', 'us-east-1', 'a/*')],
])('%s', (url, expected) => {
  expect(locationOf({ url, type: 's3' })).toEqual(expected);
});

it.each([
  ['https://example.com/a.json', { kind: 'http', pattern: 'https://example.com/a.json' }],
  ['file:///data/*.json', { kind: 'file', pattern: '/data/*.json' }],
  ['file:/data/a.json', { kind: 'file', pattern: '/data/a.json' }],
  ['s3://lake/a.json', undefined],
  ['https://example.com', undefined],
  ['file:data/a.json', undefined],
  ['javascript:alert(1)', undefined],
])('%s without a type', (url, expected) => {
  expect(locationOf({ url })).toEqual(expected);
});

it.each(['https://minio.example.com/', 'https://minio.example.com/*/a', 'https://minio.example.com/lake'])(
  '%s has no bucket, or no key',
  (url) => {
    expect(locationOf({ url, type: 's3' })).toBeUndefined();
  },
);

import { expect, it } from 'vitest';
import { readConnectionString } from './azure-account.ts';

const key = Buffer.from('secret').toString('base64');
const byKey = (blobUrl: string, account: string) => ({
  blobUrl,
  access: { kind: 'key', account, key: Buffer.from('secret') },
});

it.each([
  [`AccountName=lake;AccountKey=${key}`, byKey('https://lake.blob.core.windows.net', 'lake')],
  [
    `DefaultEndpointsProtocol=http;AccountName=lake;AccountKey=${key};EndpointSuffix=core.chinacloudapi.cn;`,
    byKey('http://lake.blob.core.chinacloudapi.cn', 'lake'),
  ],
  [
    `AccountName=devstoreaccount1;AccountKey=${key};BlobEndpoint=http://127.0.0.1:10000/devstoreaccount1/`,
    byKey('http://127.0.0.1:10000/devstoreaccount1', 'devstoreaccount1'),
  ],
  [
    'BlobEndpoint=https://lake.blob.core.windows.net/;SharedAccessSignature=?sv=1&sig=a%3D',
    { blobUrl: 'https://lake.blob.core.windows.net', access: { kind: 'signature', query: 'sv=1&sig=a%3D' } },
  ],
  ['', undefined],
  ['UseDevelopmentStorage=true', undefined],
  ['AccountName=lake', undefined],
  ['AccountName=lake;AccountKey=not base64', undefined],
  [`AccountName=lake.evil/;AccountKey=${key}`, undefined],
  [`AccountName=lake;AccountKey=${key};BlobEndpoint=file:///etc`, undefined],
  [`AccountName=lake;AccountKey=${key};BlobEndpoint=https://user@lake.example.com`, undefined],
  [`AccountName=lake;AccountKey=${key};EndpointSuffix=evil.example.com/?`, undefined],
])('%s', (text, expected) => {
  expect(readConnectionString(text)).toEqual(expected);
});

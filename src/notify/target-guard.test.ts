import { describe, expect, it } from 'vitest';
import { loopbackSpellings } from '../../test/support/loopback-spellings.ts';
import { isPublicAddress } from './address-check.ts';
import { SsrfGuard } from './target-guard.ts';

const names: Record<string, string[]> = {
  'public.example': ['93.184.216.34'],
  'private.example': ['10.0.0.5'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
};

async function resolve(hostname: string): Promise<string[]> {
  const addresses = names[hostname];
  if (!addresses) throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' });
  return addresses;
}

const verdict = async (url: string, allowed: string[] = []) => (await new SsrfGuard(allowed, resolve).check(url)).ok;

describe('decisions A9: where a webhook may not go', () => {
  it.each([
    ...loopbackSpellings,
    'http://10.0.0.5/',
    'http://172.16.0.1/',
    'http://192.168.1.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://100.64.0.1/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://private.example/',
    'https://mixed.example/',
    'file:///etc/passwd',
    'ftp://public.example/',
    'not a url',
  ])('U-45: %s is refused', async (url) => {
    expect(await verdict(url)).toBe(false);
  });

  it.each(['http://public.example/', 'https://93.184.216.34/', 'https://[2606:4700::1111]/'])(
    '%s is fine',
    async (url) => {
      expect(await verdict(url)).toBe(true);
    },
  );

  it('a name that does not resolve at create is accepted', async () => {
    expect(await verdict('https://unknown.example/')).toBe(true);
  });

  it('the reason names no address that only the server knows', async () => {
    const answer = await new SsrfGuard([], resolve).check('http://private.example/');
    expect(JSON.stringify(answer)).not.toContain('10.0.0.5');
  });
});

describe('SIGNALBOX_WEBHOOK_ALLOWED_HOSTS opens exceptions', () => {
  it.each([
    ['a name', ['private.example'], 'http://private.example/', true],
    ['another name', ['other.example'], 'http://private.example/', false],
    ['a name in other letters, with a port', ['Private.Example:9000'], 'http://private.example:1/', true],
    ['no part of a name', ['example'], 'http://private.example/', false],
    ['an address', ['127.0.0.1'], 'http://127.1/', true],
    ['an address with a port', ['127.0.0.1:9999'], 'http://127.0.0.1:9999/', true],
    ['U-45: a range', ['10.0.0.0/8'], 'http://private.example/', true],
    ['another range', ['10.0.0.0/8'], 'http://169.254.169.254/', false],
    ['an IPv6 address', ['[::1]'], 'http://[::1]/', true],
    ['one of two addresses is not enough', ['127.0.0.1'], 'http://localhost/', false],
  ])('%s', async (_title, allowed, url, ok) => {
    expect(await verdict(url, allowed)).toBe(ok);
  });
});

it('only plain public unicast is public', () => {
  expect(['8.8.8.8', '2606:4700::1111'].every(isPublicAddress)).toBe(true);
  const others = ['', 'x', '0.0.0.0', '224.0.0.1', '255.255.255.255', '192.0.2.1', '::', 'ff02::1', '2001:db8::1'];
  expect(others.filter(isPublicAddress)).toEqual([]);
});

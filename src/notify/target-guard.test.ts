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

const isAllowed = async (url: string, allowed: string[] = []) => (await new SsrfGuard(allowed, resolve).check(url)).ok;

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
  ])('U-45: %s is rejected', async (url) => {
    expect(await isAllowed(url)).toBe(false);
  });

  it.each(['http://public.example/', 'https://93.184.216.34/', 'https://[2606:4700::1111]/'])(
    '%s is fine',
    async (url) => {
      expect(await isAllowed(url)).toBe(true);
    },
  );

  it('a name that does not resolve at create is accepted', async () => {
    expect(await isAllowed('https://unknown.example/')).toBe(true);
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
    ['a name in other letters', ['Private.Example'], 'http://private.example:1/', true],
    ['a name with a port', ['private.example:9000'], 'http://private.example:9000/', true],
    ['a name with another port', ['private.example:9000'], 'http://private.example:9001/', false],
    ['a name with the port that is implied', ['private.example:80'], 'http://private.example/', true],
    ['the same by https', ['private.example:80'], 'https://private.example/', false],
    ['443 is implied by https', ['private.example:443'], 'https://private.example/', true],
    ['a domain', ['*.example'], 'http://private.example/', true],
    ['a domain is no part of a name', ['*.ivate.example'], 'http://private.example/', false],
    ['a domain is not itself', ['*.private.example'], 'http://private.example/', false],
    ['a domain with a port', ['*.example:81'], 'http://private.example/', false],
    ['no part of a name', ['example'], 'http://private.example/', false],
    ['an address', ['127.0.0.1'], 'http://127.1/', true],
    ['an address with a port', ['127.0.0.1:9999'], 'http://127.0.0.1:9999/', true],
    ['an address with another port', ['127.0.0.1:9999'], 'http://127.0.0.1:9998/', false],
    ['an address with a port, behind a name', ['10.0.0.5:80'], 'http://private.example/', true],
    ['an address with another port, behind a name', ['10.0.0.5:81'], 'http://private.example/', false],
    ['an IPv6 address with a port', ['[::1]:9000'], 'http://[::1]:9000/', true],
    ['an IPv6 address with another port', ['[::1]:9000'], 'http://[::1]:9001/', false],
    ['one of two entries for the port', ['127.0.0.1:1', '127.0.0.1:2'], 'http://127.0.0.1:2/', true],
    ['a host service that the operator names', ['168.63.129.16'], 'http://168.63.129.16/', true],
    ['a name of one', ['metadata.goog'], 'http://metadata.goog/', true],
    ['U-45: a range', ['10.0.0.0/8'], 'http://private.example/', true],
    ['another range', ['10.0.0.0/8'], 'http://169.254.169.254/', false],
    ['an IPv6 address', ['[::1]'], 'http://[::1]/', true],
    ['one of two addresses is not enough', ['127.0.0.1'], 'http://localhost/', false],
  ])('%s', async (_title, allowed, url, ok) => {
    expect(await isAllowed(url, allowed)).toBe(ok);
  });
});

describe('services of a cloud to its own machines, public or not by their range', () => {
  it.each([
    ['aws', '169.254.169.254'],
    ['aws, containers', '169.254.170.2'],
    ['aws, IPv6', '[fd00:ec2::254]'],
    ['aws, pods', '[fd00:ec2::23]'],
    ['azure', '168.63.129.16'],
    ['azure, in IPv6', '[::ffff:168.63.129.16]'],
    ['azure, as one number', '2822734096'],
    ['azure, translated', '[64:ff9b::a83f:8110]'],
    ['azure, by 6to4', '[2002:a83f:8110::1]'],
    ['google', 'metadata.google.internal'],
    ['google, with a dot at the end', 'metadata.google.internal.'],
    ['google, in capitals', 'METADATA.GOOG'],
    ['google, IPv6', '[fd20:ce::254]'],
    ['alibaba', '100.100.100.200'],
    ['oracle', '192.0.0.192'],
    ['ibm', '161.26.0.10'],
    ['ibm, endpoints', '166.9.48.100'],
    ['tencent', '169.254.0.23'],
    ['tencent, resolver', '183.60.83.19'],
    ['tencent, by name', 'metadata.tencentyun.com'],
    ['equinix', '192.80.8.124'],
    ['scaleway', '169.254.42.42'],
    ['linode', '[fd00:a9fe:a9fe::1]'],
    ['openstack', '[fe80::a9fe:a9fe]'],
  ])('%s: %s', async (_cloud, host) => {
    names['metadata.goog'] = ['93.184.216.34'];
    names['metadata.google.internal'] = ['93.184.216.34'];
    names['metadata.google.internal.'] = ['93.184.216.34'];
    names['metadata.tencentyun.com'] = ['93.184.216.34'];
    expect(await isAllowed(`http://${host}/latest`)).toBe(false);
  });
});

it('only plain public unicast is public', () => {
  expect(['8.8.8.8', '2606:4700::1111'].every(isPublicAddress)).toBe(true);
  const others = ['', 'x', '0.0.0.0', '224.0.0.1', '255.255.255.255', '192.0.2.1', '::', 'ff02::1', '2001:db8::1'];
  expect(others.filter(isPublicAddress)).toEqual([]);
});

import { type AddressRange, isWithinRange, parseAddressRange } from './address-range.ts';

/**
 * Services that clouds offer to their own machines: instance metadata with credentials, agents, resolvers. Most are
 * link-local or private and rejected as such; they are listed as well, because some are in public ranges.
 */
const addressesByCloud: Readonly<Record<string, readonly string[]>> = {
  aws: ['169.254.169.254', '169.254.169.253', '169.254.169.123', '169.254.170.2', '169.254.170.23', 'fd00:ec2::/32'],
  // WireServer and resolver: a public address.
  azure: ['168.63.129.16', '169.254.169.254'],
  google: ['169.254.169.254', 'fd20:ce::254'],
  alibaba: ['100.100.100.200', '100.100.2.136', '100.100.2.138'],
  oracle: ['169.254.169.254', '192.0.0.192', 'fd00:c1::a9fe:a9fe'],
  // Private services and service endpoints: public ranges that only its machines reach.
  ibm: ['161.26.0.0/16', '166.8.0.0/14'],
  tencent: ['169.254.0.23', '183.60.83.19', '183.60.82.98'],
  equinix: ['192.80.8.124'],
  scaleway: ['169.254.42.42', 'fd00:42::42'],
  linode: ['169.254.169.254', 'fd00:a9fe:a9fe::1'],
  openstack: ['169.254.169.254', 'fe80::a9fe:a9fe'],
};

/** The same by name; a resolver inside of a cloud may answer with an address that says nothing. */
const names: ReadonlySet<string> = new Set([
  'metadata',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
  'metadata.packet.net',
  'metadata.platformequinix.com',
]);

const ranges = Object.values(addressesByCloud).flat().map(rangeOf);

function rangeOf(text: string): AddressRange {
  const range = parseAddressRange(text);
  if (!range) throw new Error(`${text} is neither an address nor a range`);
  return range;
}

export function isHostServiceAddress(text: string): boolean {
  return ranges.some((range) => isWithinRange(text, range));
}

export function isHostServiceName(hostname: string): boolean {
  return names.has(hostname.toLowerCase().replace(/\.$/, ''));
}

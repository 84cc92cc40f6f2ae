import { isWithinRange, parseAddressRange } from './address-range.ts';

interface Entry {
  matches(target: { name?: string; address?: string }): boolean;
  /** Absent = every port. */
  port?: number;
}

/** Exceptions from configuration: names, `*.` and a domain, addresses and CIDR ranges, each for one port or for all. */
export class AllowedHosts {
  readonly #entries: readonly Entry[];

  /** `entries` as in `SIGNALBOX_WEBHOOK_ALLOWED_HOSTS`, split and without blanks. */
  constructor(entries: readonly string[]) {
    this.#entries = entries.map(parseEntry);
  }

  /** Where the port is not known, only entries for every port count. */
  hasName(hostname: string, port?: number): boolean {
    return this.#has({ name: hostname.toLowerCase().replace(/\.$/, '') }, port);
  }

  hasAddress(text: string, port?: number): boolean {
    return this.#has({ address: text }, port);
  }

  #has(target: { name?: string; address?: string }, port: number | undefined): boolean {
    return this.#entries.some((entry) => (entry.port === undefined || entry.port === port) && entry.matches(target));
  }
}

function parseEntry(text: string): Entry {
  const { host, port } = splitPort(text.toLowerCase());
  return { matches: matcherOf(host), ...(port !== undefined && { port }) };
}

/** IPv6 carries a port only in brackets. */
function splitPort(text: string): { host: string; port?: number } {
  const [, bracketed, , bracketedPort] = /^\[([^\]]+)\](:(\d+))?$/.exec(text) ?? [];
  if (bracketed !== undefined) return { host: bracketed, ...portPart(bracketedPort) };
  const [, host = text, port] = /^([^:]+):(\d+)$/.exec(text) ?? [];
  return { host, ...portPart(port) };
}

function portPart(text: string | undefined): { port?: number } {
  return text === undefined ? {} : { port: Number(text) };
}

function matcherOf(host: string): Entry['matches'] {
  const range = parseAddressRange(host);
  if (range) return ({ address }) => address !== undefined && isWithinRange(address, range);
  const name = host.replace(/\.$/, '');
  if (name.startsWith('*.')) return (target) => target.name?.endsWith(name.slice(1)) === true;
  return (target) => target.name === name;
}

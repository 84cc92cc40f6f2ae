/** A place where a broker listens. */
export interface BrokerAddress {
  host: string;
  port: number;
}

/** What the prefix of an address asks for; without one, the settings of the pipe decide. */
export type BrokerProtocol = 'PLAINTEXT' | 'SSL' | 'SASL_PLAINTEXT' | 'SASL_SSL';

export interface BrokerList {
  brokers: readonly BrokerAddress[];
  protocol?: BrokerProtocol;
}

const brokersMax = 100;
const usualPort = 9092;
const pattern = /^(?:(PLAINTEXT|SSL|SASL_PLAINTEXT|SASL_SSL):\/\/)?(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;

/** `host:port, …`, each with or without Kafka's name of its protocol in front; text = why it cannot be read. */
export function parseBrokers(text: string): BrokerList | string {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return 'must name at least one broker, as host:port';
  if (parts.length > brokersMax) return `must name at most ${brokersMax} brokers`;
  const found = parts.map(parseBroker);
  if (found.some((broker) => broker === undefined)) return 'must be a list like broker-1:9092,broker-2:9092';
  const brokers = found.filter((broker) => broker !== undefined);
  const protocols = new Set(brokers.map(({ protocol }) => protocol));
  if (protocols.size > 1) return 'must have the same protocol in front of all brokers, or none';
  const [protocol] = protocols;
  return { brokers: brokers.map(({ host, port }) => ({ host, port })), ...(protocol && { protocol }) };
}

function parseBroker(text: string): (BrokerAddress & { protocol: BrokerProtocol | undefined }) | undefined {
  const [, protocol, host, port = String(usualPort)] = pattern.exec(text) ?? [];
  if (host === undefined || Number(port) < 1 || Number(port) > 65_535) return undefined;
  // The pattern has these four and no other.
  return { host: host.replaceAll(/[[\]]/g, ''), port: Number(port), protocol: protocol as BrokerProtocol | undefined };
}

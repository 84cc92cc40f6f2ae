import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { chainOf } from '../error-chain.ts';
import { SourceError } from '../source-port.ts';

/** What the broker answers, by the protocol's own names. */
export type KafkaErrorName = string;

/** An answer of a broker that says no. */
export class KafkaAnswerError extends Error {
  readonly answer: KafkaErrorName;

  constructor(answer: KafkaErrorName) {
    super(`a broker answered ${answer}`);
    this.name = 'KafkaAnswerError';
    this.answer = answer;
  }
}

const blocked =
  'A broker is at a private, loopback, link-local or reserved address, either as entered or as the cluster advertises it. Only public hosts and hosts that the operator allows can be reached.';

const rejections: Readonly<Record<string, string>> = {
  SASL_AUTHENTICATION_FAILED: 'The brokers reject the user name or the password.',
  UNSUPPORTED_SASL_MECHANISM: 'The brokers do not offer this kind of authentication.',
  TOPIC_AUTHORIZATION_FAILED: 'The user of the pipe may not read its topics.',
  GROUP_AUTHORIZATION_FAILED: 'The user of the pipe may not use its consumer group.',
  CLUSTER_AUTHORIZATION_FAILED: 'The user of the pipe may not read from this cluster.',
  INVALID_GROUP_ID: 'The brokers reject the name of the consumer group.',
  INVALID_TOPIC_EXCEPTION: 'The brokers reject the name of a topic.',
  UNSUPPORTED_VERSION: 'The brokers are too old for this program: Kafka 3.1 or later is needed.',
};
/** The group has members that read by subscription; then others may not set its offsets. */
const groupInUse: ReadonlySet<string> = new Set(['UNKNOWN_MEMBER_ID', 'ILLEGAL_GENERATION', 'REBALANCE_IN_PROGRESS']);
const tlsSentences: readonly (readonly [RegExp, string])[] = [
  [/ALTNAME/, 'The certificate of a broker is for another name.'],
  [/EXPIRED|NOT_YET_VALID/, 'The certificate of a broker is not valid at this time.'],
  [
    /SELF_SIGNED|UNABLE_TO|CERT_|ISSUER/,
    'The certificate of a broker is not signed by an authority that is known here; enter the authority as caCertificate.',
  ],
  [/^ERR_OSSL|PEM|ERR_TLS_CERT/, 'A certificate or private key of the pipe cannot be read.'],
  [/ALERT|HANDSHAKE/, 'The brokers reject the TLS connection; they may ask for a client certificate.'],
  [/WRONG_VERSION|PACKET_LENGTH/, 'The brokers do not speak TLS at this port.'],
];

/** In sentences of our own: the client's texts have addresses in them. */
export function sourceErrorOf(error: unknown): unknown {
  if (error instanceof SourceError) return error;
  const chain = chainOf(error);
  if (chain.some((link) => link instanceof TargetBlockedError)) return new SourceError('rejected', blocked, error);
  const answer = answersOf(chain).find((name) => name in rejections || groupInUse.has(name));
  if (answer !== undefined) return new SourceError('rejected', rejections[answer] ?? groupSentence, error);
  const tls = tlsSentenceOf(chain);
  if (tls !== undefined) return new SourceError('rejected', tls, error);
  if (chain.some((link) => isCoded(link) && link.code === 'PLT_KFK_USER')) {
    const sentence = 'The TLS connection to the brokers cannot be established; they may not speak TLS at this port.';
    return new SourceError('away', sentence, error);
  }
  const [other] = answersOf(chain);
  if (other !== undefined) return new SourceError('away', `The Kafka cluster answers ${other} right now.`, error);
  const isOfNetwork = chain.some((link) => isCoded(link) && /^(PLT_KFK_|E[A-Z]+)/.test(link.code));
  return isOfNetwork ? new SourceError('away', 'The Kafka cluster cannot be reached right now.', error) : error;
}

const groupSentence =
  'Another consumer has joined the consumer group of the pipe; give the pipe a group that nothing else uses.';

/** Names of the protocol's errors in an error of the client, outermost first. */
export function answersOf(chain: readonly unknown[]): string[] {
  return chain.flatMap((link) => {
    if (link instanceof KafkaAnswerError) return [link.answer];
    return hasApiId(link) ? [link.apiId] : [];
  });
}

function tlsSentenceOf(chain: readonly unknown[]): string | undefined {
  for (const link of chain) {
    if (!isCoded(link) || link.code.startsWith('PLT_')) continue;
    const sentence = tlsSentences.find(([pattern]) => pattern.test(link.code))?.[1];
    if (sentence !== undefined) return sentence;
  }
  return undefined;
}

function isCoded(error: unknown): error is Error & { code: string } {
  return error instanceof Error && 'code' in error && typeof error.code === 'string';
}

function hasApiId(error: unknown): error is Error & { apiId: string } {
  return error instanceof Error && 'apiId' in error && typeof error.apiId === 'string';
}

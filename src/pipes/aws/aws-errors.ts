import { errors } from 'undici';
import { TargetBlockedError } from '../../kernel/target-blocked-error.ts';
import { chainOf } from '../error-chain.ts';
import { SourceError } from '../source-port.ts';

/** An answer of an AWS service that says no; its text stays out of what people see. */
export class AwsAnswerError extends Error {
  /** The service's name of the error, without namespace; empty when the answer has none. */
  readonly answer: string;
  readonly status: number;

  constructor(answer: string, status: number) {
    super(`AWS answered ${answer || 'without a reason'} (status ${status})`);
    this.name = 'AwsAnswerError';
    this.answer = answer;
    this.status = status;
  }

  /** The service is asked too often, or by too many. */
  get isThrottle(): boolean {
    return throttles.has(this.answer) || this.status === 429;
  }
}

/** How sentences call what is asked. */
export interface AwsWords {
  /** `the queue`, for sentences that go on with a verb. */
  subject: string;
  /** What the access key has to be allowed to do. */
  rights: string;
  /** Further answers that say no until someone changes something. */
  rejections?: Readonly<Record<string, string>>;
  /** Answers that may pass. */
  troubles?: Readonly<Record<string, string>>;
}

const throttles: ReadonlySet<string> = new Set([
  'ProvisionedThroughputExceededException',
  'LimitExceededException',
  'ThrottlingException',
  'Throttling',
  'ThrottledException',
  'RequestThrottled',
  'RequestThrottledException',
  'TooManyRequestsException',
  'KMSThrottlingException',
  'KmsThrottled',
  'OverLimit',
]);
const unknownKey = 'AWS does not know the access key of the pipe.';
const wrongSignature =
  'AWS rejects the signature of the pipe: check its secretKey and region, and that the clock of this machine is right.';
const sharedRejections: Readonly<Record<string, string>> = {
  UnrecognizedClientException: unknownKey,
  InvalidClientTokenId: unknownKey,
  InvalidAccessKeyId: unknownKey,
  InvalidSignatureException: wrongSignature,
  SignatureDoesNotMatch: wrongSignature,
  IncompleteSignature: wrongSignature,
  IncompleteSignatureException: wrongSignature,
  RequestExpired: wrongSignature,
  ExpiredTokenException: 'The access key of the pipe has expired.',
  OptInRequired: 'The AWS account of the access key has not been activated for this service.',
  SubscriptionRequiredException: 'The AWS account of the access key has not been activated for this service.',
};
const denials: ReadonlySet<string> = new Set([
  'AccessDeniedException',
  'AccessDenied',
  'AuthorizationError',
  'MissingAuthenticationTokenException',
]);

/** In sentences of our own: neither addresses nor texts of AWS are in them. */
export function awsErrorOf(error: unknown, words: AwsWords): unknown {
  if (error instanceof SourceError) return error;
  const chain = chainOf(error);
  const blocked = chain.find((link) => link instanceof TargetBlockedError);
  if (blocked instanceof TargetBlockedError) {
    return new SourceError('rejected', `The address of ${words.subject} cannot be used: ${blocked.message}`, error);
  }
  if (error instanceof AwsAnswerError) return answerErrorOf(error, words);
  const isOfCertificate = chain.some(
    (link) => link instanceof Error && 'code' in link && /CERT|SIGNED|ALTNAME/.test(String(link.code)),
  );
  if (isOfCertificate) {
    return new SourceError('rejected', `The certificate of the server of ${words.subject} is not trusted.`, error);
  }
  const isOfNetwork =
    error instanceof errors.UndiciError ||
    chain.some((link) => link instanceof Error && 'code' in link && /^(E[A-Z]+|UND_)/.test(String(link.code)));
  if (!isOfNetwork) return error;
  return new SourceError('away', capital(`${words.subject} cannot be reached, or the connection broke.`), error);
}

function answerErrorOf(error: AwsAnswerError, { subject, rights, rejections, troubles }: AwsWords): SourceError {
  const { answer, status } = error;
  const rejected = rejections?.[answer] ?? sharedRejections[answer];
  if (rejected !== undefined) return new SourceError('rejected', rejected, error);
  const trouble = troubles?.[answer];
  if (trouble !== undefined) return new SourceError('away', trouble, error);
  if (error.isThrottle) {
    return new SourceError('away', capital(`${subject} is asked more often than AWS allows.`), error);
  }
  if (denials.has(answer) || status === 401 || status === 403) {
    return new SourceError('rejected', `AWS denies access to ${subject}; the access key needs ${rights}.`, error);
  }
  const isPassing = status >= 500 || status === 408 || status === 200;
  const named = answer === '' ? `status ${status}` : `${answer} (status ${status})`;
  return new SourceError(isPassing ? 'away' : 'rejected', capital(`${subject} answers with ${named}.`), error);
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

import type { BasicAuthenticator, BasicOutcome, ManagedPlace } from '../../access/authenticators.ts';
import { ManagedErrorSchema, resultEnvelope } from '../../contract/envelope.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { audienceOf, type EnvelopedAnswer, type Operation } from '../operation.ts';
import { withAliasedSettings } from './aliased-settings.ts';
import { listOf } from './answer-schema.ts';
import type { AuthOutcome, Flavour, PublicFailure } from './flavour.ts';

const root = '/v1';
const scope = '/v1/organizations/:organizationId/services/:serviceId';
const pipes = '/pipes';
const aliasedPipes = '/clickpipes';

/** Words with which `error` texts begin, by status. */
const words: Record<number, string> = {
  400: 'BAD_REQUEST',
  401: 'UNAUTHORIZED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  431: 'REQUEST_HEADER_FIELDS_TOO_LARGE',
  502: 'BAD_GATEWAY',
  503: 'SERVICE_UNAVAILABLE',
  504: 'TIMEOUT',
};
/** Codes that are the bare word: nothing more is said. */
const bareTexts: Partial<Record<ErrorCode, string>> = {
  rate_limited: 'TOO_MANY_REQUESTS',
  internal: 'INTERNAL_ERROR',
};

/**
 * `/v1/organizations/{organizationId}/services/{serviceId}/…`, cloud API keys, `{requestId, result, status}` and
 * `{error, status}` (seed §Path shapes by flavour, decisions F4, F5). With `aliases` the path words of existing clients are served
 * as well (decisions F7).
 */
export function managedFlavour(keys: BasicAuthenticator, options: { aliases?: boolean } = {}): Flavour {
  return {
    name: 'managed',
    pathsOf: (operation) => pathsOf(operation, options.aliases ?? false),
    documentPath: '/v1/openapi.json',
    authenticate: async (authorization, { params }) =>
      toOutcome(await keys.authenticateBasic(authorization, placeOf(params)), params),
    admitSession: async (session, { params }) => toOutcome(await keys.admitSession(session, placeOf(params)), params),
    success,
    failure: (failure) => JSON.stringify({ error: errorText(failure), status: statusOf(failure.code) }),
    statusOf,
    document: {
      title: 'Signalbox managed API',
      version: '1.0.0',
      securityName: 'BasicAuth',
      securityScheme: { type: 'http', scheme: 'basic', description: 'Key id and key secret of a cloud API key.' },
      pathParameters: {
        organizationId: 'Id of the organization that owns the service.',
        serviceId: 'Id of the service.',
      },
      successSchema: ({ answer }) => resultEnvelope(answer.kind === 'none' ? undefined : listOf(answer), answer.meta),
      failureSchema: () => ManagedErrorSchema,
    },
  };
}

function statusOf(code: ErrorCode): number {
  return errorCatalogue[code].status;
}

function pathsOf(operation: Operation, aliases: boolean): readonly string[] {
  const { path, place } = operation;
  if (place === 'root') return [root + path];
  if (path === pipes || path.startsWith(`${pipes}/`)) {
    const rest = path.slice(pipes.length);
    return aliases ? [scope + path, scope + aliasedPipes + rest] : [scope + path];
  }
  if (place === 'service') return [scope + path];
  // Clients that need the aliases do not find what only people use.
  return aliases && audienceOf(operation, 'managed') === 'keys'
    ? [`${scope}/stack${path}`, `${scope}/clickstack${path}`]
    : [`${scope}/stack${path}`];
}

function placeOf({ organizationId, serviceId }: Record<string, string>): ManagedPlace {
  return {
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(serviceId === undefined ? {} : { serviceId }),
  };
}

function toOutcome(outcome: BasicOutcome, params: Record<string, string>): AuthOutcome {
  if (outcome.kind === 'unauthenticated') return { kind: 'rejected', code: 'unauthenticated' };
  // A malformed UUID is revealed only to those who hold a key (decisions P4).
  for (const [name, value] of Object.entries(placeOf(params))) {
    if (!isUuid(value)) return { kind: 'rejected', code: 'request_invalid', text: `${name}: must be a UUID` };
  }
  return outcome.kind === 'forbidden' ? { kind: 'rejected', code: 'forbidden' } : outcome;
}

function success(answer: EnvelopedAnswer, requestId: string, _operation: Operation, path: string): string {
  const meta = metaOf(answer);
  if (answer.kind === 'none') return `{"requestId":"${requestId}",${meta}"status":200}`;
  const result = answer.kind === 'text' ? answer.json : JSON.stringify(inWordsOf(path, answer.data));
  return `{"requestId":"${requestId}","result":${result},${meta}"status":200}`;
}

function metaOf(answer: EnvelopedAnswer): string {
  const meta = answer.kind === 'text' ? answer.meta : answer.meta && JSON.stringify(answer.meta);
  return meta === undefined ? '' : `"meta":${meta},`;
}

/** The words of a pipe's settings follow the word of the path that the client uses (decisions F7). */
function inWordsOf(path: string, data: unknown): unknown {
  return path.startsWith(scope + aliasedPipes) ? withAliasedSettings(data) : data;
}

function errorText({ code, text }: PublicFailure): string {
  const bare = bareTexts[code];
  if (bare) return bare;
  const status = statusOf(code);
  return `${words[status] ?? 'INTERNAL_ERROR'}: ${text}`;
}

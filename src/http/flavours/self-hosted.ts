import type { BearerAuthenticator } from '../../access/authenticators.ts';
import type { Session } from '../../access/session.ts';
import {
  ChartErrorSchema,
  dataEnvelope,
  MessageErrorSchema,
  metaEnvelope,
  PageMetaSchema,
} from '../../contract/envelope.ts';
import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import type { EnvelopedAnswer, Operation } from '../operation.ts';
import { listOf } from './answer-schema.ts';
import type { AuthOutcome, Flavour } from './flavour.ts';

const prefix = '/api/v2';

/** People paste ingestion keys, which are another kind (U-79). */
const keyNeeded = `${errorCatalogue.unauthenticated.text} A personal API access key is required.`;

/**
 * Rows in which this flavour differs from the catalogue. seed §Update dashboard rule 3: "A request that supplies an
 * invalid dashboard configuration is answered with status 500, not 400"; decisions D1: one rule, on POST as well.
 */
const statuses: Partial<Record<ErrorCode, number>> = { dashboard_invalid: 500 };

/** `/api/v2/…`, personal API access keys, `{data}` and `{message}` (seed §Path shapes by flavour, decisions F4, F5). */
export function selfHostedFlavour(keys: BearerAuthenticator): Flavour {
  return {
    name: 'selfHosted',
    pathsOf: (operation) => [prefix + operation.path],
    documentPath: `${prefix}/openapi.json`,
    authenticate: (authorization) => authenticate(keys, authorization),
    admitSession: async (session) => admitSession(session),
    success,
    failure: ({ text }, operation) =>
      JSON.stringify(operation?.errorInBothKeys ? { message: text, error: text } : { message: text }),
    statusOf: (code) => statuses[code] ?? errorCatalogue[code].status,
    document: {
      title: 'Signalbox API',
      version: '2.0.0',
      securityName: 'BearerAuth',
      securityScheme: { type: 'http', scheme: 'bearer', bearerFormat: 'API Key' },
      pathParameters: {},
      successSchema,
      failureSchema: (operation) => (operation.errorInBothKeys ? ChartErrorSchema : MessageErrorSchema),
    },
  };
}

async function authenticate(keys: BearerAuthenticator, authorization: string | undefined): Promise<AuthOutcome> {
  const principal = await keys.authenticateBearer(authorization);
  return principal ? { kind: 'principal', principal } : { kind: 'rejected', code: 'unauthenticated', text: keyNeeded };
}

/** Every member of a team may do everything in it. */
function admitSession({ id, account }: Session): AuthOutcome {
  const { tenantId } = account;
  if (tenantId === undefined) return { kind: 'rejected', code: 'unauthenticated' };
  const principal = { kind: 'session', tenantId, keyId: id, role: 'admin', userId: account.id } as const;
  return { kind: 'principal', principal };
}

function success(answer: EnvelopedAnswer, _requestId: string, operation: Operation): string {
  if (answer.kind === 'none') return JSON.stringify(answer.meta === undefined ? {} : { meta: answer.meta });
  const data = answer.kind === 'text' ? answer.json : JSON.stringify(answer.data);
  if (operation.answer.bare) return data;
  const meta = metaOf(answer);
  return meta === undefined ? `{"data":${data}}` : `{"data":${data},"meta":${meta}}`;
}

function metaOf(answer: Exclude<EnvelopedAnswer, { kind: 'none' }>): string | undefined {
  if (answer.kind === 'text') return answer.meta;
  const meta = answer.page ?? answer.meta;
  return meta && JSON.stringify(meta);
}

function successSchema({ answer }: Operation): object {
  if (answer.kind === 'none') return metaEnvelope(answer.meta);
  const data = listOf(answer);
  if (answer.bare) return data;
  return dataEnvelope(data, answer.paged ? PageMetaSchema : answer.meta);
}

import type { Principal } from '../../access/principal.ts';
import type { Session } from '../../access/session.ts';
import type { ErrorCode } from '../../contract/errors.ts';
import type { EnvelopedAnswer, FlavourName, Operation } from '../operation.ts';

export type AuthOutcome =
  | { kind: 'principal'; principal: Principal }
  | { kind: 'rejected'; code: 'unauthenticated' | 'forbidden' | 'request_invalid'; text?: string };

/** The requested path. */
export interface CalledPlace {
  params: Record<string, string>;
}

/** An error as a client may see it. */
export interface PublicFailure {
  code: ErrorCode;
  text: string;
}

/**
 * One flavour of the API: everything in which the two differ, as a value at the HTTP edge (decisions F1). Nothing
 * outside `flavours/` asks which one it is.
 */
export interface Flavour {
  name: FlavourName;
  /** Paths under which an operation is served, `:name` parameters included; the first one is documented. */
  pathsOf(operation: Operation): readonly string[];
  /** Where the interface document is served. */
  documentPath: string;
  authenticate(authorization: string | undefined, place: CalledPlace): Promise<AuthOutcome>;
  /** What the session of a person may reach. */
  admitSession(session: Session, place: CalledPlace): Promise<AuthOutcome>;
  /** Body of a success; `path` is the requested one of `pathsOf`. */
  success(answer: EnvelopedAnswer, requestId: string, operation: Operation, path: string): string;
  /** Body of a failure; `operation` is absent where no operation was reached. */
  failure(failure: PublicFailure, operation: Operation | undefined): string;
  statusOf(code: ErrorCode, operation: Operation | undefined): number;
  /** Schemas of the bodies and the security scheme, for the interface document. */
  document: FlavourDocument;
}

export interface FlavourDocument {
  title: string;
  version: string;
  securityName: string;
  securityScheme: object;
  /** Path parameters of the prefix, with their meaning. */
  pathParameters: Record<string, string>;
  successSchema(operation: Operation): object;
  failureSchema(operation: Operation): object;
}

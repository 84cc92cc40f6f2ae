import { type ErrorCode, errorCatalogue } from '../../contract/errors.ts';
import type { Flavour } from '../flavours/flavour.ts';
import type { Operation } from '../operation.ts';
import { NamedSchemas } from './named-schemas.ts';

export interface InterfaceDocument {
  openapi: '3.1.0';
  info: { title: string; version: string };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OperationDocument>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

export interface OperationDocument {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: object[];
  requestBody?: object;
  responses: Record<string, object>;
  'x-beta'?: true;
}

/** The OpenAPI 3.1 document of one flavour, from the very operations and schemas that run. */
export function interfaceDocument(flavour: Flavour, operations: readonly Operation[]): InterfaceDocument {
  const { title, version, securityName, securityScheme } = flavour.document;
  const schemas = new NamedSchemas();
  const paths: InterfaceDocument['paths'] = {};
  for (const operation of operations) {
    const path = (flavour.pathsOf(operation)[0] ?? '').replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, { flavour, path, schemas }) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    servers: [{ url: '/' }],
    security: [{ [securityName]: [] }],
    tags: [...new Set(operations.map((operation) => operation.tag))].map((name) => ({ name })),
    paths,
    components: { schemas: schemas.components, securitySchemes: { [securityName]: securityScheme } },
  };
}

interface Place {
  flavour: Flavour;
  path: string;
  schemas: NamedSchemas;
}

function describe(operation: Operation, place: Place): OperationDocument {
  const body = operation.documentedBody ?? operation.body;
  const parameters = [...pathParameters(operation, place), ...queryParameters(operation, place.schemas)];
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: json(place.schemas.place(body)) } }),
    responses: responses(operation, place),
    ...(operation.beta && { 'x-beta': true }),
  };
}

function pathParameters(operation: Operation, { flavour, path }: Place): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: flavour.document.pathParameters[name] ?? `Identifier (${operation.tag}).`,
    schema: { type: 'string' },
  }));
}

function queryParameters(operation: Operation, schemas: NamedSchemas): object[] {
  const properties: Record<string, object> =
    // `properties` of a schema are schemas.
    operation.query && 'properties' in operation.query ? (operation.query.properties as Record<string, object>) : {};
  const required: unknown = operation.query && 'required' in operation.query ? operation.query.required : [];
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: Array.isArray(required) && required.includes(name),
    schema: schemas.place(schema),
  }));
}

function responses(operation: Operation, { flavour, path, schemas }: Place): Record<string, object> {
  const success = { description: 'Done.', ...successContent(operation, { flavour, schemas }) };
  const failure = json(schemas.place(flavour.document.failureSchema(operation)));
  const texts = new Map<number, Set<string>>();
  for (const code of [...codesOf(operation), ...scopeCodes(flavour, path)]) {
    const status = flavour.statusOf(code, operation);
    texts.set(status, (texts.get(status) ?? new Set()).add(errorCatalogue[code].text));
  }
  const failures = [...texts].map(([status, reasons]) => [
    String(status),
    { description: [...reasons].join(' '), content: failure },
  ]);
  return { 200: success, ...Object.fromEntries(failures) };
}

function successContent({ answer, ...operation }: Operation, { flavour, schemas }: Omit<Place, 'path'>): object {
  const { kind, mediaTypes = [], headers } = answer;
  const documented = Object.entries(headers ?? {}).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return {
    ...(documented.length > 0 && { headers: Object.fromEntries(documented) }),
    content:
      kind === 'file'
        ? Object.fromEntries(mediaTypes.map((type) => [type, { schema: { type: 'string' } }]))
        : json(schemas.place(flavour.document.successSchema({ answer, ...operation }))),
  };
}

/** Ids of the prefix are validated with the credentials, before the operation (decisions P4). */
function scopeCodes(flavour: Flavour, path: string): ErrorCode[] {
  const isScoped = Object.keys(flavour.document.pathParameters).some((name) => path.includes(`{${name}}`));
  return isScoped ? ['request_invalid', 'forbidden'] : [];
}

/** What every operation may answer, then what this one declares. */
function codesOf(operation: Operation): ErrorCode[] {
  const body: ErrorCode[] = operation.body
    ? ['json_invalid', 'content_type_invalid', operation.bodyInvalid ?? 'request_invalid', 'payload_too_large']
    : [];
  const role: ErrorCode[] = operation.role === 'admin' ? ['read_only_key'] : [];
  return [...body, 'unauthenticated', ...role, ...operation.errors, 'rate_limited', 'internal', 'store_unavailable'];
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}

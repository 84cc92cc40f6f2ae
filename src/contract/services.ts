import { type Static, Type } from 'typebox';
import { completionLimits } from './completion.ts';
import { HexIdSchema } from './identifiers.ts';
import { WhereLanguageSchema } from './series.ts';

export const serviceLimits = {
  services: 1000,
  operations: 1000,
  errors: 500,
  edges: 2000,
  listDefault: 200,
  edgesDefault: 500,
  nameLength: 1024,
  messageLength: 500,
} as const;

const Instant = Type.Optional(
  Type.Union([Type.Integer(), Type.String({ maxLength: 64 })], {
    description: 'Unix milliseconds or an ISO 8601 date and time.',
  }),
);

const asked = {
  sourceId: HexIdSchema,
  startTime: Instant,
  endTime: Instant,
  where: Type.Optional(
    Type.String({ maxLength: completionLimits.whereLength, description: 'Spans that do not match are not counted.' }),
  ),
  whereLanguage: Type.Optional(WhereLanguageSchema),
};

function limitOf(most: number, usual: number = serviceLimits.listDefault) {
  return Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `Default: ${usual}.` }));
}

const ServiceName = Type.String({ minLength: 1, maxLength: serviceLimits.nameLength });

/** Body of `POST /services`. */
export const ServicesRequestSchema = Type.Object(
  { ...asked, limit: limitOf(serviceLimits.services) },
  { title: 'ServicesRequest' },
);
export type ServicesRequest = Static<typeof ServicesRequestSchema>;

/** Body of `POST /services/operations`. */
export const ServiceOperationsRequestSchema = Type.Object(
  { ...asked, service: ServiceName, limit: limitOf(serviceLimits.operations) },
  { title: 'ServiceOperationsRequest' },
);
export type ServiceOperationsRequest = Static<typeof ServiceOperationsRequestSchema>;

/** Body of `POST /services/errors`. */
export const ServiceErrorsRequestSchema = Type.Object(
  { ...asked, service: ServiceName, limit: limitOf(serviceLimits.errors) },
  { title: 'ServiceErrorsRequest' },
);
export type ServiceErrorsRequest = Static<typeof ServiceErrorsRequestSchema>;

/** Body of `POST /services/map`. */
export const ServiceMapRequestSchema = Type.Object(
  { ...asked, limit: limitOf(serviceLimits.edges, serviceLimits.edgesDefault) },
  { title: 'ServiceMapRequest' },
);
export type ServiceMapRequest = Static<typeof ServiceMapRequestSchema>;

const Duration = (level: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `${level} of the durations, in milliseconds; null without any.`,
  });

const measures = {
  requests: Type.Integer({ description: 'Before sampling: each span counts as often as its sample rate says.' }),
  rate: Type.Number({ description: 'Requests per second of the period.' }),
  errors: Type.Integer({ description: 'Requests whose status is an error.' }),
  errorShare: Type.Union([Type.Number(), Type.Null()], { description: 'Of the requests, 0 to 1; null without any.' }),
  p50Ms: Duration('Median'),
  p95Ms: Duration('95th percentile'),
  p99Ms: Duration('99th percentile'),
};

const Previous = Type.Union([Type.Object(measures), Type.Null()], {
  description: 'The same in the period of the same length before; null if it has no spans.',
});

export const ServiceBasisSchema = Type.Union([Type.Literal('entry'), Type.Literal('root'), Type.Literal('all')], {
  description:
    'The spans that are its requests: those of kind SERVER or CONSUMER; where there are none, those without a parent; where there are none of these either, all.',
});

/** Rates, errors and durations of a service. */
export const ServiceSchema = Type.Object(
  {
    name: Type.String({ description: 'Empty for spans without a service.' }),
    basis: ServiceBasisSchema,
    ...measures,
    previous: Previous,
  },
  { title: 'Service' },
);
export type Service = Static<typeof ServiceSchema>;

/** Rates, errors and durations of an operation: the spans of a service that have one name. */
export const ServiceOperationSchema = Type.Object(
  { name: Type.String(), basis: ServiceBasisSchema, ...measures, previous: Previous },
  { title: 'ServiceOperation' },
);
export type ServiceOperation = Static<typeof ServiceOperationSchema>;

/** Errors of a service that have one type. */
export const ServiceErrorSchema = Type.Object(
  {
    type: Type.String({
      description:
        'Of the first exception of a span, else its error type, else its status message; empty where it has none.',
    }),
    lastMessage: Type.String(),
    spans: Type.Integer({ description: 'Before sampling. One exception may be recorded by several spans of a trace.' }),
    traces: Type.Integer(),
    firstAt: Type.String({ description: 'Within the range.' }),
    lastAt: Type.String(),
    lastTraceId: Type.String(),
  },
  { title: 'ServiceError' },
);
export type ServiceError = Static<typeof ServiceErrorSchema>;

export const ServiceListMetaSchema = Type.Object(
  {
    total: Type.Integer({ description: 'Before `limit`.' }),
    rowsRead: Type.Integer(),
    elapsedMs: Type.Number(),
  },
  { title: 'ServiceListMeta' },
);
export type ServiceListMeta = Static<typeof ServiceListMetaSchema>;

export const serviceNodeKinds = ['service', 'database', 'messaging', 'external'] as const;

const NodeKind = Type.Union(
  [Type.Literal('service'), Type.Literal('database'), Type.Literal('messaging'), Type.Literal('external')],
  {
    description:
      'service: sends spans; the others are known from the spans of their callers: databases and caches, topics and queues, and whatever else is called.',
  },
);

const NodeRef = Type.Object({ kind: NodeKind, name: Type.String() });
export type ServiceNodeRef = Static<typeof NodeRef>;

export const ServiceNodeSchema = Type.Object({ kind: NodeKind, name: Type.String() }, { title: 'ServiceNode' });
export type ServiceNode = Static<typeof ServiceNodeSchema>;

/** Calls from one node to another. */
export const ServiceEdgeSchema = Type.Object(
  {
    from: NodeRef,
    to: NodeRef,
    measuredBy: Type.Union([Type.Literal('caller'), Type.Literal('callee')], {
      description:
        'Whose spans these are: of calls that arrived those of the callee, of all others those of the caller.',
    }),
    ...measures,
  },
  { title: 'ServiceEdge' },
);
export type ServiceEdge = Static<typeof ServiceEdgeSchema>;

export const ServiceMapSchema = Type.Object(
  {
    nodes: Type.Array(ServiceNodeSchema, { description: 'In the order of their names.' }),
    edges: Type.Array(ServiceEdgeSchema, { description: 'Those with most requests first.' }),
  },
  { title: 'ServiceMap' },
);
export type ServiceMap = Static<typeof ServiceMapSchema>;

export const ServiceMapMetaSchema = Type.Object(
  {
    total: Type.Integer({ description: 'Edges before `limit`.' }),
    traceShare: Type.Number({
      description:
        'Share of the traces that was read. 1: the map is exact. Less (ranges with very many spans): calls and errors are estimated from whole traces chosen by their id, and rare calls may be missing.',
    }),
    unnamed: Type.Integer({ description: 'Calls to something that the spans do not name; they are not in the map.' }),
    rowsRead: Type.Integer(),
    elapsedMs: Type.Number(),
  },
  { title: 'ServiceMapMeta' },
);
export type ServiceMapMeta = Static<typeof ServiceMapMetaSchema>;

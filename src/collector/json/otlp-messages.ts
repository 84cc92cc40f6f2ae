import type { Signal } from '../signal.ts';
import { type Holds, type MessageFields, message } from './message-fields.ts';

// The messages of opentelemetry/proto: names, numbers and kinds of the fields that we store or step through. Fields that
// are not here (dropped counts, entity references, …) are ignored, as unknown keys are.

const anyValue: MessageFields = message({
  stringValue: [1, 'string'],
  boolValue: [2, 'bool'],
  intValue: [3, 'int64'],
  doubleValue: [4, 'double'],
  arrayValue: [5, { message: () => arrayValue }],
  kvlistValue: [6, { message: () => keyValueList }],
  bytesValue: [7, 'base64'],
});
const keyValue = message({ key: [1, 'string'], value: [2, { message: () => anyValue }] });
const arrayValue: MessageFields = message({}, { values: [1, { message: () => anyValue }] });
const keyValueList: MessageFields = message({}, { values: [1, { message: () => keyValue }] });

const value = { message: () => anyValue };
const attributes = { message: () => keyValue };

const resource = message({}, { attributes: [1, attributes] });
const scope = message(
  { name: [1, 'string'], version: [2, 'string'], droppedAttributesCount: [4, 'uint32'] },
  { attributes: [3, attributes] },
);

const severityNames = ['TRACE', 'DEBUG', 'INFO', 'WARN', 'ERROR', 'FATAL'];
const severityNumber = {
  enum: Object.fromEntries([
    ['SEVERITY_NUMBER_UNSPECIFIED', 0],
    ...severityNames.flatMap((name, index) =>
      ['', '2', '3', '4'].map((suffix, step) => [`SEVERITY_NUMBER_${name}${suffix}`, index * 4 + step + 1]),
    ),
  ]),
};

const logRecord = message(
  {
    timeUnixNano: [1, 'fixed64'],
    severityNumber: [2, severityNumber],
    severityText: [3, 'string'],
    body: [5, value],
    flags: [8, 'fixed32'],
    traceId: [9, 'hex'],
    spanId: [10, 'hex'],
    observedTimeUnixNano: [11, 'fixed64'],
    eventName: [12, 'string'],
  },
  { attributes: [6, attributes] },
);

const spanKind = {
  enum: {
    SPAN_KIND_UNSPECIFIED: 0,
    SPAN_KIND_INTERNAL: 1,
    SPAN_KIND_SERVER: 2,
    SPAN_KIND_CLIENT: 3,
    SPAN_KIND_PRODUCER: 4,
    SPAN_KIND_CONSUMER: 5,
  },
};
const statusCode = { enum: { STATUS_CODE_UNSET: 0, STATUS_CODE_OK: 1, STATUS_CODE_ERROR: 2 } };
const spanStatus = message({ message: [2, 'string'], code: [3, statusCode] });
const spanEvent = message({ timeUnixNano: [1, 'fixed64'], name: [2, 'string'] }, { attributes: [3, attributes] });
const spanLink = message(
  { traceId: [1, 'hex'], spanId: [2, 'hex'], traceState: [3, 'string'] },
  { attributes: [4, attributes] },
);
const span = message(
  {
    traceId: [1, 'hex'],
    spanId: [2, 'hex'],
    traceState: [3, 'string'],
    parentSpanId: [4, 'hex'],
    name: [5, 'string'],
    kind: [6, spanKind],
    startTimeUnixNano: [7, 'fixed64'],
    endTimeUnixNano: [8, 'fixed64'],
    status: [15, { message: () => spanStatus }],
  },
  {
    attributes: [9, attributes],
    events: [11, { message: () => spanEvent }],
    links: [13, { message: () => spanLink }],
  },
);

const temporality = {
  enum: {
    AGGREGATION_TEMPORALITY_UNSPECIFIED: 0,
    AGGREGATION_TEMPORALITY_DELTA: 1,
    AGGREGATION_TEMPORALITY_CUMULATIVE: 2,
  },
};
const exemplar = message(
  {
    timeUnixNano: [2, 'fixed64'],
    asDouble: [3, 'double'],
    spanId: [4, 'hex'],
    traceId: [5, 'hex'],
    asInt: [6, 'sfixed64'],
  },
  { filteredAttributes: [7, attributes] },
);
const exemplars = { message: () => exemplar };
const numberPoint = message(
  {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    asDouble: [4, 'double'],
    asInt: [6, 'sfixed64'],
    flags: [8, 'uint32'],
  },
  { exemplars: [5, exemplars], attributes: [7, attributes] },
);
const histogramPoint = message(
  {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    flags: [10, 'uint32'],
    min: [11, 'double'],
    max: [12, 'double'],
  },
  {
    bucketCounts: [6, 'fixed64'],
    explicitBounds: [7, 'double'],
    exemplars: [8, exemplars],
    attributes: [9, attributes],
  },
);
const buckets = message({ offset: [1, 'sint32'] }, { bucketCounts: [2, 'uint64'] });
const exponentialHistogramPoint = message(
  {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    scale: [6, 'sint32'],
    zeroCount: [7, 'fixed64'],
    positive: [8, { message: () => buckets }],
    negative: [9, { message: () => buckets }],
    flags: [10, 'uint32'],
    min: [12, 'double'],
    max: [13, 'double'],
  },
  { attributes: [1, attributes], exemplars: [11, exemplars] },
);
const quantileValue = message({ quantile: [1, 'double'], value: [2, 'double'] });
const summaryPoint = message(
  {
    startTimeUnixNano: [2, 'fixed64'],
    timeUnixNano: [3, 'fixed64'],
    count: [4, 'fixed64'],
    sum: [5, 'double'],
    flags: [8, 'uint32'],
  },
  { quantileValues: [6, { message: () => quantileValue }], attributes: [7, attributes] },
);

function metricData(point: MessageFields): { message: () => MessageFields } {
  const data = message(
    { aggregationTemporality: [2, temporality], isMonotonic: [3, 'bool'] },
    { dataPoints: [1, { message: () => point }, 'record'] },
  );
  return { message: () => data };
}

const metric = message({
  name: [1, 'string'],
  description: [2, 'string'],
  unit: [3, 'string'],
  gauge: [5, metricData(numberPoint), 'records'],
  sum: [7, metricData(numberPoint), 'records'],
  histogram: [9, metricData(histogramPoint), 'records'],
  exponentialHistogram: [10, metricData(exponentialHistogramPoint), 'records'],
  summary: [11, metricData(summaryPoint), 'records'],
});

interface Names {
  resources: string;
  scopes: string;
  members: string;
  /** What a member is: a record, or a metric that has records. */
  holds: Holds;
}

/** Export…ServiceRequest → Resource… → Scope… → member: the same numbers for all signals, only the names differ. */
function exportRequest({ resources, scopes, members, holds }: Names, member: MessageFields) {
  const scopeGroup = message(
    { scope: [1, { message: () => scope }], schemaUrl: [3, 'string'] },
    { [members]: [2, { message: () => member }, holds] },
  );
  const resourceGroup = message(
    { resource: [1, { message: () => resource }], schemaUrl: [3, 'string'] },
    { [scopes]: [2, { message: () => scopeGroup }, 'records'] },
  );
  return message({}, { [resources]: [1, { message: () => resourceGroup }, 'records'] });
}

const logNames = { resources: 'resourceLogs', scopes: 'scopeLogs', members: 'logRecords', holds: 'record' } as const;
const spanNames = { resources: 'resourceSpans', scopes: 'scopeSpans', members: 'spans', holds: 'record' } as const;
const metricNames = {
  resources: 'resourceMetrics',
  scopes: 'scopeMetrics',
  members: 'metrics',
  holds: 'records',
} as const;

export const exportRequests: Readonly<Record<Signal, MessageFields>> = {
  logs: exportRequest(logNames, logRecord),
  traces: exportRequest(spanNames, span),
  metrics: exportRequest(metricNames, metric),
};

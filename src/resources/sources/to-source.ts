import { Value } from 'typebox/value';
import {
  LogSourceSchema,
  MetricSourceSchema,
  PromqlSourceSchema,
  SessionSourceSchema,
  type SourceInput,
  SourceSchema,
  TraceSourceSchema,
} from '../../contract/source.ts';
import { shortGranularity } from './short-granularity.ts';
import type { Source } from './source.ts';

const eventDefaults = {
  highlightedTraceAttributeExpressions: [],
  highlightedRowAttributeExpressions: [],
  materializedViews: [],
};

/** What a record of each kind always has, also when the request left it out (contract §5.1). */
const byKind = {
  log: { schema: LogSourceSchema, defaults: eventDefaults },
  trace: { schema: TraceSourceSchema, defaults: { ...eventDefaults, durationPrecision: 3 } },
  metric: { schema: MetricSourceSchema, defaults: {} },
  session: { schema: SessionSourceSchema, defaults: { timestampValueExpression: 'TimestampTime' } },
  promql: { schema: PromqlSourceSchema, defaults: {} },
} as const;

/**
 * The record that a body becomes: the fields of its kind and no others (decisions F8), defaults filled in, granularities
 * in the short form. Expects a body that fits `SourceInputSchema`.
 */
export function toSource(id: string, input: SourceInput): Source {
  const { schema, defaults } = byKind[input.kind];
  const given = Object.fromEntries(
    Object.entries(structuredClone(input)).filter(([key, value]) => value !== null || isKeptNull(input.kind, key)),
  );
  const complete = { disabled: false, querySettings: [], ...defaults, ...given, ...placeOf(input), id };
  const source: unknown = Value.Clean(schema, complete);
  if (!Value.Check(SourceSchema, source)) throw new Error(`the body of a ${input.kind} source was not checked`);
  return withShortGranularities(source);
}

/** Null means absent; of one link it is kept, as existing clients read it back. */
function isKeptNull(kind: SourceInput['kind'], key: string): boolean {
  return kind === 'trace' && key === 'logSourceId';
}

/** Metric tables are configured elsewhere, so the name is optional here. */
function placeOf({ from }: SourceInput): Pick<SourceInput, 'from'> {
  return { from: { ...from, tableName: from.tableName ?? '' } };
}

function withShortGranularities(source: Source): Source {
  if (source.kind !== 'log' && source.kind !== 'trace') return source;
  const { metadataMaterializedViews: metadata } = source;
  return {
    ...source,
    materializedViews: source.materializedViews.map((view) => ({
      ...view,
      minGranularity: shortGranularity(view.minGranularity),
    })),
    ...(metadata && {
      metadataMaterializedViews: { ...metadata, granularity: shortGranularity(metadata.granularity) },
    }),
  };
}

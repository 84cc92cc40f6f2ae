import type { AttributeRead } from './attribute-reads.ts';

/**
 * Techniques that a statement uses, for explanations: precomputed counts, groups in the order of the table, bucket and
 * groups as one number, buckets of a group in an array, a limit to the largest groups.
 */
export type Technique = 'countProjection' | 'tableOrder' | 'groupHash' | 'foldedBuckets' | 'topNLimit';

/**
 * A statement that is ready to run. Values travel only in `params`, as plain text (the client escapes them for its
 * transport); the statement holds `{p1:String}` placeholders.
 *
 * Result columns of a chart query, in this order: `ts` (bucket start, Unix ms, Int64), `g0`…`gN` (group values,
 * String, '' when missing), then for each series `n0` (rows that matched, UInt64; 0 = the series has no value here)
 * and `v0` (Nullable(Float64), once it is decoded; of plain counts it is `n0` repeated); of counters and distributions
 * `needs_care` and `took_turns` (UInt64); with groups, last of all
 * `groups_total` (UInt64): how many groups there were before the limit of `groupsMax` (with `groupsPerBucket`: in the bucket that has most), the same in every row. Rows are sorted by bucket, then group.
 */
export interface CompiledQuery {
  sql: string;
  /** Where tables without a database are; that of the connection when absent. Our own statements name theirs. */
  database?: string;
  params: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string | number>>;
  /** None when absent. */
  techniques?: readonly Technique[];
  /** What it reads of attribute maps key by key; nothing when absent. */
  attributeReads?: readonly AttributeRead[];
  /** Result column → a later one with the same numbers, which the statement omits. The runner restores it. */
  repeated?: ReadonlyMap<string, string>;
  /** The statement to run instead where a row of the answer has `needs_care` other than 0; only then is the answer right. */
  careful?: () => CompiledQuery;
  /** Result column → how to compute its values from the engine's. The runner applies it. */
  decode?: ReadonlyMap<string, (value: unknown) => number | null>;
}

/** How many points of a row make it doubtful; 0 = the row is right. */
export const needsCareColumn = 'needs_care';
/** How many points of a row came from senders that cannot be distinguished. */
export const tookTurnsColumn = 'took_turns';

/** `QueryTextError.where` of an error in the filter of the source, which the one who asks did not write. */
export const sourceFilterPath = 'source.filter';
export const sampleRatePath = 'source.sampleRate';
export const spanFieldPath = (field: keyof typeof spanTexts): string => `source.spans.${field}`;
const spanTexts = {
  service: 'serviceNameExpression',
  traceId: 'traceIdExpression',
  spanId: 'spanIdExpression',
  parentSpanId: 'parentSpanIdExpression',
  name: 'spanNameExpression',
  kind: 'spanKindExpression',
  duration: 'durationExpression',
  statusCode: 'statusCodeExpression',
  statusMessage: 'statusMessageExpression',
} as const;
/** Fields of a source's record by the path under which the compiler reports problems with them. */
export const sourceTexts: ReadonlyMap<string | undefined, string> = new Map([
  [sourceFilterPath, 'tableFilterExpression'],
  [sampleRatePath, 'sampleRateExpression'],
  ...Object.entries(spanTexts).map(([field, text]): [string, string] => [`source.spans.${field}`, text]),
]);

/** The user's text is wrong: what, where and what would be right. Becomes 400 at the edge. */
export class QueryTextError extends Error {
  /** First character of the offending part; characters from 0. */
  readonly position: number | undefined;
  /** End of the offending part, exclusive. */
  readonly end: number | undefined;
  /** Which text: of the request `series.0.where`, `groupBy.1`, …; of the source `sourceFilterPath`. */
  readonly where: string | undefined;

  constructor(message: string, position?: number, end?: number, where?: string) {
    super(message);
    this.name = 'QueryTextError';
    this.position = position;
    this.end = end;
    this.where = where;
  }

  /** The same error, with the text it is about. */
  in(where: string): QueryTextError {
    return new QueryTextError(this.message, this.position, this.end, where);
  }
}

/** Reason and position, for people. */
export function textProblem({ message, position }: QueryTextError): string {
  return position === undefined ? message : `${message} (at position ${position})`;
}

/** Runs `parse`; an error in the user's text leaves it with the path of that text. */
export function inText<T>(where: string, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof QueryTextError && error.where === undefined) throw error.in(where);
    throw error;
  }
}

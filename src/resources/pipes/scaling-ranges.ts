import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';

type Scaling = NonNullable<PipeInput['scaling']>;
type Source = NonNullable<PipeInput['source']>;
type Ranges = Record<keyof Scaling, readonly [minimum: number, maximum: number]>;

const streaming: Ranges = {
  replicas: [1, 40],
  concurrency: [0, 34],
  replicaCpuMillicores: [125, 2000],
  replicaMemoryGb: [0.5, 8],
};
const database: Ranges = { ...streaming, replicaCpuMillicores: [1000, 32_000], replicaMemoryGb: [4, 128] };

/** Ranges are per source kind (decisions P1): streams and objects are read by small replicas, databases by large ones. */
const rangesOf: Record<keyof Source, Ranges> = {
  kafka: streaming,
  kinesis: streaming,
  objectStorage: streaming,
  postgres: database,
};

/** What is out of range; a combination of sources, or none, may be scaled as any one of them. */
export function scalingProblems({ scaling, source = {} }: PipeInput): readonly Problem[] {
  if (!scaling) return [];
  const kinds = Object.entries(rangesOf).filter(([kind]) => kind in source);
  const candidates = kinds.length > 0 ? kinds : Object.entries(rangesOf);
  const reports = candidates.map(([kind, ranges]) => outOfRange(scaling, kind, ranges));
  return reports.find((report) => report.length === 0) ?? reports[0] ?? [];
}

function outOfRange(scaling: Scaling, kind: string, ranges: Ranges): Problem[] {
  return Object.entries(ranges).flatMap(([field, [minimum, maximum]]) => {
    // Ranges are named after the fields of `scaling`.
    const value = scaling[field as keyof Scaling];
    if (value === undefined || (value >= minimum && value <= maximum)) return [];
    return [{ path: `scaling.${field}`, message: `must be ${minimum} to ${maximum} for a ${kind} source` }];
  });
}

import type { PipeInput } from '../contract/pipe-input.ts';
import type { Problem } from '../contract/problem.ts';
import { type SourceKind, sourceKindsOf } from './pipe-definition.ts';
import type { Connector } from './source-port.ts';
import { targetProblems } from './target-check.ts';

/** The kinds of source that this program reads. */
export type Connectors = ReadonlyMap<SourceKind, Connector>;

export function connectorsOf(connectors: readonly Connector[]): Connectors {
  return new Map(connectors.map((connector) => [connector.kind, connector]));
}

/** Why a pipe cannot run here, without asking its source or its table; empty when it can. */
export function runProblems(connectors: Connectors, pipe: PipeInput): readonly Problem[] {
  const kinds = sourceKindsOf(pipe);
  const [kind, second] = kinds;
  if (kind === undefined) return [{ path: 'source', message: `is required; ${readableKinds(connectors)} can be read` }];
  if (second !== undefined) {
    return [{ path: 'source', message: `must name one source, not ${kinds.join(' and ')}; make a pipe for each` }];
  }
  const connector = connectors.get(kind);
  if (!connector) {
    const message = `${kind} sources cannot be read by this version; ${readableKinds(connectors)} can`;
    return [{ path: `source.${kind}`, message }];
  }
  return [...connector.problemsOf(pipe), ...targetProblems(pipe)];
}

function readableKinds(connectors: Connectors): string {
  return [...connectors.keys()].join(', ') || 'no kind of source';
}

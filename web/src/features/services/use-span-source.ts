import { useQuery } from '@tanstack/react-query';
import type { TraceSource } from '../../../../src/contract/source.ts';
import { useUrlState } from '../../url-state.ts';
import { sourcesQuery } from '../where-editor/source-queries.ts';

export interface SpanSourceState {
  sources: TraceSource[];
  /** The one of the address, or of the logs that it names; else the first. */
  source: TraceSource | undefined;
  isLoading: boolean;
  error: Error | null;
}

/** Which trace source services are found in. The sources of the program's own telemetry come after the team's. */
export function useSpanSource(): SpanSourceState {
  const [url] = useUrlState();
  const { data = [], isLoading, error } = useQuery(sourcesQuery);
  const sources = data.filter((each): each is TraceSource => each.kind === 'trace' && !each.disabled);
  const named = sources.find(({ id }) => id === url.source) ?? sources.find((each) => each.logSourceId === url.source);
  const source = named ?? sources[0];
  return { sources, source, isLoading, error };
}

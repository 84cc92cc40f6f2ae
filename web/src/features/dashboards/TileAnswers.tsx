import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, use, useMemo } from 'react';
import { substituteVariables } from '../../../../src/contract/substitute-variables.ts';
import type { TileAnswer } from '../../../../src/contract/tile-query.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { RefreshButton } from '../time-range/RefreshButton.tsx';
import type { TimeRangeState } from '../time-range/use-time-range.ts';
import { type TilesQuestion, tilesKey, useTileAnswers } from './dashboard-queries.ts';
import { backgroundRef } from './number-look.ts';

// Each of these looks at its own part of the same request, so that an answer draws again what shows it and nothing else:
// buttons and menus of the page's head cost more than a chart.

const noVariables: readonly TileVariable[] = [];
const Variables = createContext(noVariables);
const Answers = createContext<ReadonlyMap<string, TileAnswer> | undefined>(undefined);

/** Asks what the tiles show, for those within (`useTileAnswer`). */
export function TileAnswers({ question, children }: { question: TilesQuestion; children: ReactNode }) {
  const { data } = useTileAnswers(question);
  const text = JSON.stringify(question.variables ?? []);
  // The same as long as its content is.
  const variables = useMemo((): readonly TileVariable[] => JSON.parse(text), [text]);
  return (
    <Variables value={variables}>
      <Answers value={data}>{children}</Answers>
    </Variables>
  );
}

/** The name of a tile with the values of the variables that it names. */
export function useShownName(name: string): string {
  return substituteVariables(name, 'text', use(Variables)).text;
}

/** Values of the dashboard's variables. */
export function useVariables(): readonly TileVariable[] {
  return use(Variables);
}

/** What the tile shows, and what is drawn behind its number; absent while they are read. */
export function useTileAnswer(tileId: string): { answer: TileAnswer | undefined; background: TileAnswer | undefined } {
  const answers = use(Answers);
  return { answer: answers?.get(tileId), background: answers?.get(backgroundRef(tileId)) };
}

/** Why the tiles were not answered. */
export function TilesProblem({ question }: { question: TilesQuestion }) {
  const { error, refetch } = useTileAnswers(question);
  return error ? <ErrorNotice error={error} onRetry={() => void refetch()} /> : null;
}

/** Refreshes what the tiles of all sections that are open show. */
export function TilesRefresh({ dashboardId, time }: { dashboardId: string; time: TimeRangeState }) {
  const client = useQueryClient();
  const queryKey = tilesKey(dashboardId);
  const isFetching = useIsFetching({ queryKey }) > 0;
  const refresh = () => void client.refetchQueries({ queryKey, type: 'active' });
  return <RefreshButton state={time} isLoading={isFetching} onRefresh={refresh} />;
}

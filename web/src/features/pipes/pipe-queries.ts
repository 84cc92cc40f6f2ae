import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import type { PipeCheck } from '../../../../src/contract/pipe-check.ts';
import type { PipeError } from '../../../../src/contract/pipe-errors.ts';
import type { PipeSourceProposal } from '../../../../src/contract/pipe-source.ts';
import type { PipeStatus, PipeSummary } from '../../../../src/contract/pipe-status.ts';
import { fetchData } from '../../api/client.ts';
import { sourcesQuery } from '../where-editor/source-queries.ts';
import { isOnTheWay } from './pipe-commands.ts';

/** While a state is about to change, and otherwise. */
const soonMs = 1_000;
const seldomMs = 5_000;
const errorsShown = 100;

/** `service` is the path of a service below the API's prefix. */
export const usePipes = (service: string) =>
  useQuery({ queryKey: [service, 'pipes'], queryFn: () => fetchData<Pipe[]>(`${service}/pipes`) });

/** States and totals of all pipes, by id. */
export const usePipeSummaries = (service: string) =>
  useQuery({
    queryKey: [service, 'pipe-summaries'],
    queryFn: () => fetchData<PipeSummary[]>(`${service}/pipes/status`),
    select: (summaries) => new Map(summaries.map((summary) => [summary.id, summary])),
    refetchInterval: ({ state }) => (state.data?.some((pipe) => isOnTheWay(pipe.state)) ? soonMs : seldomMs),
  });

export const usePipe = (service: string, pipeId: string) =>
  useQuery({
    queryKey: [service, 'pipes', pipeId],
    queryFn: () => fetchData<Pipe>(`${service}/pipes/${pipeId}`),
  });

/** How the pipe is doing; looked at again each second while its state is about to change. */
export const usePipeStatus = (service: string, pipeId: string) =>
  useQuery({
    queryKey: [service, 'pipe-status', pipeId],
    queryFn: () => fetchData<PipeStatus>(`${service}/pipes/${pipeId}/status`),
    refetchInterval: ({ state }) => (state.data && isOnTheWay(state.data.state) ? soonMs : seldomMs),
  });

/** Read again when the number of errors has changed. */
export const usePipeErrors = (service: string, pipeId: string, errors: number) =>
  useQuery({
    queryKey: [service, 'pipe-errors', pipeId, errors],
    queryFn: ({ signal }) =>
      fetchData<PipeError[]>(`${service}/pipes/${pipeId}/errors?limit=${errorsShown}`, { signal }),
    placeholderData: (before) => before,
  });

/** Starts, stops or resyncs a pipe. */
export function usePipeCommand(service: string, pipeId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (command: PipeStatus['commands'][number]) =>
      fetchData<Pipe>(`${service}/pipes/${pipeId}/state`, { method: 'PATCH', body: { command } }),
    // Also when it failed: the state is another one than the page shows.
    onSettled: () =>
      Promise.all(
        ['pipe-status', 'pipes', 'pipe-summaries'].map((part) =>
          client.invalidateQueries({ queryKey: [service, part] }),
        ),
      ),
  });
}

/** What a source over the table would be; `table` is the first of the pipe when absent. */
export const usePipeSource = (service: string, pipeId: string, table: string | undefined) =>
  useQuery({
    queryKey: [service, 'pipe-source', pipeId, table],
    queryFn: () =>
      fetchData<PipeSourceProposal>(
        `${service}/pipes/${pipeId}/source${table === undefined ? '' : `?table=${encodeURIComponent(table)}`}`,
      ),
    placeholderData: (before) => before,
  });

export function useCreatePipeSource(service: string, pipeId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: object) =>
      fetchData<{ id: string; name: string }>(`${service}/pipes/${pipeId}/source`, { method: 'POST', body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [service, 'pipe-source', pipeId] }),
        client.invalidateQueries({ queryKey: sourcesQuery.queryKey }),
      ]),
  });
}

/** Tests the connection to the source of a pipe that is not made yet. */
export const useSourceCheck = (service: string) =>
  useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      fetchData<PipeCheck>(`${service}/pipes/check`, { method: 'POST', body }),
  });

/** Creates a pipe, or merges a patch into the one with `pipeId`. */
export function useSavePipe(service: string, pipeId: string | undefined, onSaved: (pipe: Pipe) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Record<string, unknown>) =>
      pipeId === undefined
        ? fetchData<Pipe>(`${service}/pipes`, { method: 'POST', body })
        : fetchData<Pipe>(`${service}/pipes/${pipeId}`, { method: 'PATCH', body }),
    onSuccess: async (pipe) => {
      await client.invalidateQueries({ queryKey: [service] });
      onSaved(pipe);
    },
  });
}

export function useDeletePipe(service: string, pipeId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => fetchData(`${service}/pipes/${pipeId}`, { method: 'DELETE' }),
    // Not what the page of the pipe shows: that is no longer there.
    onSuccess: () => client.invalidateQueries({ queryKey: [service, 'pipes'], exact: true }),
  });
}

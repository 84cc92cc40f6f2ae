import { useQuery } from '@tanstack/react-query';
import type { Pipe } from '../../../../src/contract/pipe.ts';
import { fetchData } from '../../api/client.ts';

/** `service` is the path of a service below the API's prefix. */
export const usePipes = (service: string) =>
  useQuery({ queryKey: [service, 'pipes'], queryFn: () => fetchData<Pipe[]>(`${service}/pipes`) });

export const usePipe = (service: string, pipeId: string) =>
  useQuery({
    queryKey: [service, 'pipes', pipeId],
    queryFn: () => fetchData<Pipe>(`${service}/pipes/${pipeId}`),
  });

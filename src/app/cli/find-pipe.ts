import type { StoredPipe } from '../../resources/pipes/pipe.ts';
import type { PipeService } from '../../resources/pipes/pipe-service.ts';
import { CommandError } from './command-error.ts';

/** The pipe with this id or name. @throws {CommandError} */
export async function findPipe(
  pipes: Pick<PipeService, 'list'>,
  serviceId: string,
  idOrName: string,
): Promise<StoredPipe> {
  const all = await pipes.list(serviceId);
  const byId = all.find(({ id }) => id === idOrName.toLowerCase());
  if (byId) return byId;
  const [named, ...others] = all.filter(({ fields }) => fields.name === idOrName);
  const shown = JSON.stringify(idOrName);
  if (!named) throw new CommandError(`There is no pipe ${shown} in this service.`);
  if (others.length > 0) throw new CommandError(`There are several pipes called ${shown}; give the id.`);
  return named;
}

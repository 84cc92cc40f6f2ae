import { type Pipe, PipeSchema } from '../../contract/pipe.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { StoredPipe } from './pipe.ts';

/** What the pipe has of the seed's fields and of those beside them (decisions P1); no secret leaves (decisions P2). */
export function presentPipe(serviceId: string, { id, createdAt, updatedAt, fields, run }: StoredPipe): Pipe {
  const { name, state, ...described } = fields;
  const changedAt = run && run.changedAt > updatedAt ? run.changedAt : updatedAt;
  const pipe = { id, serviceId, name, state: run?.state ?? state, createdAt, updatedAt: changedAt, ...described };
  // What was written has been checked by PipeInputSchema, which narrows every field of PipeSchema.
  return maskSecrets(PipeSchema, pipe) as Pipe;
}

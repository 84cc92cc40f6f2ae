import type { SecretBox } from '../../access/secret-box.ts';
import { type PipeInput, PipeInputSchema } from '../../contract/pipe-input.ts';
import { maskSecrets } from './mask-secrets.ts';
import type { PipeFields, PipeSecrets, StoredPipe } from './pipe.ts';

/** A written pipe in two parts: what may be read, and what may not. */
export interface SplitPipe {
  fields: PipeFields;
  secrets: PipeSecrets;
}

/** Splits off everything that the contract marks as secret (contract §12); a pipe without state is in state `Unknown`. */
export function splitSecrets(input: PipeInput): SplitPipe {
  const { id: _id, serviceId: _serviceId, createdAt: _createdAt, updatedAt: _updatedAt, ...given } = input;
  const secrets: PipeSecrets = {};
  const shown = maskSecrets(PipeInputSchema, given, (path, secret) => {
    secrets[path] = secret;
  }) as object; // an object stays one
  return { fields: { name: input.name, state: 'Unknown', ...shown }, secrets };
}

/** The sealed text of a pipe's secrets, bound to its id; `undefined` when there are none. */
export function sealPipeSecrets(box: SecretBox, pipeId: string, secrets: PipeSecrets): string | undefined {
  return Object.keys(secrets).length === 0 ? undefined : box.seal(JSON.stringify(secrets), pipeId);
}

/** The secrets of a stored pipe. @throws when they were sealed with another key */
export function openPipeSecrets(box: SecretBox, pipe: Pick<StoredPipe, 'id' | 'sealedSecrets'>): PipeSecrets {
  return pipe.sealedSecrets === undefined ? {} : JSON.parse(box.open(pipe.sealedSecrets, pipe.id));
}

/** The fields with every secret in the place of its mask. */
export function withSecrets(fields: PipeFields, secrets: PipeSecrets): PipeFields {
  const whole = structuredClone(fields);
  for (const [path, secret] of Object.entries(secrets)) {
    const steps = path.split('.');
    const last = steps.pop() ?? '';
    const holder = steps.reduce<unknown>((at, step) => fieldOf(at, step), whole);
    if (typeof holder === 'object' && holder !== null) Object.assign(holder, { [last]: secret });
  }
  return whole;
}

function fieldOf(value: unknown, name: string): unknown {
  // Only what the contract knows is stored, so no key leads outside the record.
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

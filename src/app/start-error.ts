import { ConfigError } from '../config/config-error.ts';
import { DataFolderLockedError, EngineStartError } from '../engine/supervisor.ts';
import { MetadataError } from '../metadata/metadata-error.ts';
import { ProvisioningError } from './provisioning/provisioning-problem.ts';

/** A start that can't work, in one sentence for the person who started the program. */
export class StartError extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'StartError';
  }
}

/** The sentence for errors that a person can do something about; others are faults of the program and go on. */
export function toStartError(error: unknown): StartError | undefined {
  if (error instanceof StartError) return error;
  if (error instanceof DataFolderLockedError) return new StartError(`SIGNALBOX_DATA_DIR: ${error.message}.`);
  const known = [ConfigError, ProvisioningError, MetadataError, EngineStartError].some((kind) => error instanceof kind);
  if (known && error instanceof Error) return new StartError(error.message, { cause: error });
  return undefined;
}

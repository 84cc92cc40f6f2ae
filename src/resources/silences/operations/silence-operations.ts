import type { Operation } from '../../../http/operation.ts';
import type { SilenceService } from '../silence-service.ts';
import { createSilence } from './create-silence.ts';
import { deleteSilence } from './delete-silence.ts';
import { getSilence } from './get-silence.ts';
import { listSilences } from './list-silences.ts';
import { updateSilence } from './update-silence.ts';

/** Every operation on silences. */
export function silenceOperations(silences: SilenceService): Operation[] {
  return [
    listSilences(silences),
    createSilence(silences),
    getSilence(silences),
    updateSilence(silences),
    deleteSilence(silences),
  ];
}

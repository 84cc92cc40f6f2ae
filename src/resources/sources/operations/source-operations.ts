import type { Operation } from '../../../http/operation.ts';
import type { MistimedRecords } from '../../../telemetry/ports.ts';
import type { SourceService } from '../source-service.ts';
import { createSource } from './create-source.ts';
import { deleteSource } from './delete-source.ts';
import { getSource } from './get-source.ts';
import { listSources } from './list-sources.ts';
import { updateSource } from './update-source.ts';

/** Every operation on sources. */
export function sourceOperations(sources: SourceService, mistimed: MistimedRecords): Operation[] {
  return [
    listSources(sources, mistimed),
    createSource(sources),
    getSource(sources),
    updateSource(sources),
    deleteSource(sources),
  ];
}

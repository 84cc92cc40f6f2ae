import type { Static } from 'typebox';
import type { SourceSchema } from '../../contract/source.ts';

/** The stored document is the wire document (contract §5.1). */
export type Source = Static<typeof SourceSchema>;

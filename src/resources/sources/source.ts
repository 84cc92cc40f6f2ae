import type { Static } from 'typebox';
import type { SourceSchema } from '../../contract/source.ts';

/** The stored document is the wire document (contract: sources). */
export type Source = Static<typeof SourceSchema>;

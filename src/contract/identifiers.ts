import { Type } from 'typebox';

/** 24 lower-case hex characters, as the service assigns them (decisions F6). */
export const HexIdSchema = Type.String({ pattern: '^[0-9a-f]{24}$', description: '24 lower-case hex characters.' });

/** Organizations, services, pipes and requests (decisions F6). */
export const UuidSchema = Type.String({
  pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  description: 'A UUID.',
});

/** An id that a client sends to point at something: any short text; what it names is looked up later. */
export const ReferenceIdSchema = Type.String({ minLength: 1, maxLength: 64 });

export const TimestampSchema = Type.String({ description: 'ISO 8601, UTC, with milliseconds.' });

import { type Static, Type } from 'typebox';
import { completionLimits } from './completion.ts';
import { HexIdSchema } from './identifiers.ts';
import { ExpressionSchema, WhereLanguageSchema } from './series.ts';

export const patternLimits = { sample: 100_000, sampleDefault: 10_000, patterns: 1000, patternsDefault: 100 } as const;

const Instant = Type.Optional(
  Type.Union([Type.Integer(), Type.String({ maxLength: 64 })], {
    description: 'Unix milliseconds or an ISO 8601 date and time.',
  }),
);

/** Body of `POST /search/patterns`. */
export const PatternsRequestSchema = Type.Object(
  {
    sourceId: HexIdSchema,
    startTime: Instant,
    endTime: Instant,
    where: Type.Optional(Type.String({ maxLength: completionLimits.whereLength })),
    whereLanguage: Type.Optional(WhereLanguageSchema),
    field: Type.Optional(ExpressionSchema),
    sample: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: patternLimits.sample,
        description: `About how many events are read if more match. Default: ${patternLimits.sampleDefault}.`,
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: patternLimits.patterns,
        description: `Most patterns, the most frequent first. Default: ${patternLimits.patternsDefault}.`,
      }),
    ),
  },
  { title: 'PatternsRequest' },
);
export type PatternsRequest = Static<typeof PatternsRequestSchema>;

export const EventPatternSchema = Type.Object(
  {
    pattern: Type.String({ description: 'The text that its events share; `<*>` is in the place of what differs.' }),
    count: Type.Integer({ description: 'Events with it, of those that were read.' }),
    share: Type.Number({ description: 'Of the events that were read, 0 to 1.' }),
    regex: Type.Union([Type.String(), Type.Null()], {
      description:
        'Regular expression (RE2) for filters that finds the events with this pattern and no others; null where there is none: texts of other patterns would match as well, or the texts are too long.',
    }),
    example: Type.String({ description: 'The text of one of its events, at most 1000 characters.' }),
  },
  { title: 'EventPattern' },
);
export type EventPattern = Static<typeof EventPatternSchema>;

export const PatternsMetaSchema = Type.Object(
  {
    events: Type.Integer({ description: 'Events that match.' }),
    read: Type.Integer({
      description: 'Events that were read: all of them, or those of some parts of the range, evenly spread.',
    }),
    patterns: Type.Integer({ description: 'Patterns before `limit`.' }),
    field: Type.String({ description: 'What holds the texts, as SQL writes it.' }),
    rowsRead: Type.Integer(),
    elapsedMs: Type.Number(),
  },
  { title: 'PatternsMeta' },
);
export type PatternsMeta = Static<typeof PatternsMetaSchema>;

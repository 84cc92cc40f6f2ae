/** Longest user text that is read at all, in characters. */
export const textLengthMax = 16_384;
/** Deepest nesting of parentheses, negations and calls; keeps the recursion of parsers and printer bounded. */
export const depthMax = 200;
/** Most nodes of one text; keeps the statement below the engine's own limits. */
export const nodesMax = 2_000;

/** Longest user text that is read at all, in characters. */
export const textLengthMax = 16_384;
/** Deepest nesting of parentheses and negations in Lucene; keeps the recursion of parser and printer bounded. */
export const depthMax = 200;
/** Deepest nesting and longest chain of operators in SQL: each level may be eight levels of the engine's parser. */
export const sqlDepthMax = 40;
/** Longest statement, in characters; the engine itself reads 262 144 bytes. */
export const statementLengthMax = 200_000;
/** Longest regular expression, in characters. */
export const regexLengthMax = 1_000;
/** Largest regular expression once its repetitions are written out: compiling it takes some milliseconds, here and in the engine. */
export const regexCostMax = 2_000;
/** Most wildcards of one pattern: the engine tries again from each of them, at every row. */
export const wildcardsMax = 100;

import { QueryTextError } from '../compiled-query.ts';
import type { SqlToken } from './sql-token.ts';

/** Nodes that the engine's parser makes of them take about a second. */
const nodesMax = 1_000_000;

/**
 * The engine's parser writes `x BETWEEN a AND b` as two comparisons of `x`, so that each BETWEEN doubles what stands
 * before it. Nested, that is exponential, and the engine cannot be stopped while it parses. Throws `QueryTextError`.
 */
export function checkGrowth(tokens: readonly SqlToken[]): void {
  /** Of each open parenthesis: nodes in front of the last comma, and since then. */
  const levels = [{ before: 0, current: 0 }];
  for (const { kind, value, start, end } of tokens) {
    const level = levels.at(-1);
    if (!level) return;
    if (kind === 'sign' && (value === '(' || value === '[')) levels.push({ before: 0, current: 0 });
    else if (kind === 'sign' && (value === ')' || value === ']')) closeLevel(levels);
    else if (kind === 'sign' && value === ',')
      Object.assign(level, { before: level.before + level.current, current: 0 });
    else if (kind === 'word' && value.toUpperCase() === 'BETWEEN') level.current *= 2;
    else level.current += 1;
    const { before, current } = levels.at(-1) ?? level;
    if (before + current <= nodesMax) continue;
    throw new QueryTextError('too many BETWEEN in one expression; write x >= a AND x <= b', start, end);
  }
}

function closeLevel(levels: { before: number; current: number }[]): void {
  const closed = levels.pop();
  const outer = levels.at(-1);
  if (closed && outer) outer.current += 1 + closed.before + closed.current;
}

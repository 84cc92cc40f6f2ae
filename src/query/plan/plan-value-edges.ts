import type { ValueScale } from '../heatmap-query.ts';
import { type Select, sameColumn, type TableRead } from './select.ts';
import { alias, binary, call, constant, type SqlExpr } from './sql-expr.ts';

/** Rows of a heatmap, more or less: a tile is about 300 pixels high. */
const rowsWanted = 40;
/** More than the formulas below can ask for. */
const edgesMax = 64;
/** Beyond this times the mean, a linear scale would have nearly everything in its lowest rows. */
const skewed = 20;

const one = constant(1);
const ten = constant(10);

/** The values that are distributed. */
interface ReadValues {
  from: TableRead;
  where: readonly SqlExpr[];
  /** Float64. */
  value: SqlExpr;
}

/**
 * The scale of the values and its edges as one tuple: 1 if logarithmic, then the edges. Linear edges are multiples of 1,
 * 2 or 5 times a power of ten; logarithmic ones divide each decade in equal parts, and values that are not positive
 * are in a row below these. Unless requested, the scale is logarithmic if no value is negative and the largest is twenty
 * times the mean or more.
 */
export function planValueEdges({ from, where, value }: ReadValues, scale: ValueScale | undefined): Select {
  const values: Select = { columns: [{ as: 'number', expr: value }], from, where };
  const number = alias('number');
  const extremes: Select = {
    columns: [
      { as: 'least', expr: call('min', number) },
      { as: 'most', expr: call('max', number) },
      { as: 'smallest', expr: call('minIf', number, binary(number, '>', constant(0))) },
      { as: 'mean', expr: call('avg', number) },
    ],
    from: { kind: 'select', select: values },
  };
  const chosen = above(extremes, ['least', 'most'], {
    logarithmic: isLogarithmic(scale),
    spread: narrowestStep(),
    lowest: logOf('smallest'),
    highest: logOf('most'),
  });
  const steps = above(chosen, ['least', 'most', 'logarithmic', 'spread', 'lowest', 'highest'], {
    power: call('floor', call('log10', alias('spread'))),
    parts: partsOfDecade(),
  });
  const widths = above(steps, ['least', 'most', 'logarithmic', 'power', 'parts', 'lowest', 'highest'], {
    factor: factorOfPower(),
  });
  const firsts = above(widths, ['least', 'most', 'logarithmic', 'power', 'factor', 'parts', 'highest'], {
    first_multiple: multipleOf('least'),
    last_multiple: multipleOf('most'),
    first_part: partOf('lowest'),
    last_part: partOf('highest'),
  });
  const edges = call('if', alias('logarithmic'), logarithmicEdges(), linearEdges());
  return {
    columns: [{ as: 'scale', expr: call('tuple', alias('logarithmic'), edges) }],
    from: { kind: 'select', select: firsts },
  };
}

/** A select over another one: some of its columns as they are, and what is computed from them. */
function above(select: Select, kept: readonly string[], added: Readonly<Record<string, SqlExpr>>): Select {
  const columns = Object.entries(added).map(([as, expr]) => ({ as, expr }));
  return { columns: [...kept.map(sameColumn), ...columns], from: { kind: 'select', select } };
}

function isLogarithmic(scale: ValueScale | undefined): SqlExpr {
  if (scale === 'linear') return constant(0);
  // Without a positive value there is nothing to take the logarithm of.
  const isPossible = binary(alias('most'), '>', constant(0));
  if (scale === 'log') return isPossible;
  const isSkewed = binary(alias('most'), '>=', binary(constant(skewed), '*', alias('mean')));
  return call('and', isPossible, binary(alias('least'), '>=', constant(0)), isSkewed);
}

/** The width of a row that would divide the values evenly; never narrower than what distinguishes numbers of this size. */
function narrowestStep(): SqlExpr {
  const [least, most] = [alias('least'), alias('most')];
  const even = binary(binary(most, '/', constant(rowsWanted)), '-', binary(least, '/', constant(rowsWanted)));
  const finest = binary(call('greatest', call('abs', least), call('abs', most)), '*', constant(1e-12));
  return call('greatest', even, finest, constant(1e-300));
}

/** 1, 2, 5 or 10: the least for which a power of ten times it is as wide as wanted. */
function factorOfPower(): SqlExpr {
  const within = (factor: number, otherwise: SqlExpr) =>
    call('if', binary(alias('spread'), '<=', times(constant(factor))), constant(factor), otherwise);
  return within(1, within(2, within(5, ten)));
}

function multipleOf(name: string): SqlExpr {
  return call('toInt64', call('floor', binary(alias(name), '/', times(alias('factor')))));
}

function linearEdges(): SqlExpr {
  const multiple = binary(numbered('first_multiple'), '*', alias('factor'));
  const below = binary(multiple, '/', call('pow', ten, binary(constant(0), '-', alias('power'))));
  // 3 / 10 is the number that is written 0.3; 3 * 0.1 is not.
  const edge = call('if', binary(alias('power'), '<', constant(0)), below, times(multiple));
  return forEach(edge, 'first_multiple', 'last_multiple');
}

function logOf(name: string): SqlExpr {
  return call('log10', call('if', binary(alias(name), '>', constant(0)), alias(name), one));
}

function partsOfDecade(): SqlExpr {
  const decades = binary(alias('highest'), '-', alias('lowest'));
  const within = (limit: number, parts: number, otherwise: SqlExpr) =>
    call('if', binary(decades, '<=', constant(limit)), constant(parts), otherwise);
  return within(2, 20, within(4, 10, within(8, 5, within(20, 2, within(40, 1, constant(1 / 16))))));
}

function partOf(name: string): SqlExpr {
  return call('toInt64', call('floor', binary(alias(name), '*', alias('parts'))));
}

function logarithmicEdges(): SqlExpr {
  const exponent = binary(numbered('first_part'), '/', alias('parts'));
  const edges = forEach(call('pow', ten, exponent), 'first_part', 'last_part');
  const least = alias('least');
  return call('if', binary(least, '<=', constant(0)), call('arrayPushFront', edges, least), edges);
}

function times(value: SqlExpr): SqlExpr {
  return binary(value, '*', call('pow', ten, alias('power')));
}

function numbered(first: string): SqlExpr {
  return binary(alias('i'), '+', alias(first));
}

/**
 * From one before the first to two behind the last, as rounding may have shifted both by one. The engine works out both
 * branches of `if`: no number of the other scale makes an array longer than `edgesMax`.
 */
function forEach(edge: SqlExpr, first: string, last: string): SqlExpr {
  const count = call('greatest', binary(binary(alias(last), '-', alias(first)), '+', constant(3)), one);
  const from = constant(-1);
  return call(
    'arrayMap',
    { kind: 'lambda', names: ['i'], body: edge },
    call('range', from, call('toInt64', call('least', count, constant(edgesMax)))),
  );
}

import { Liquid } from 'liquidjs';
import { type Dialect, plain } from './dialect.ts';
import { handlebarsToLiquid } from './handlebars.ts';
import { markValue, settleValues, UnknownVariable, valueMarks } from './json-values.ts';
import { allowedFilters } from './template-filters.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** `problem` is a sentence for the author of the template. */
export type Rendered = { kind: 'text'; text: string } | { kind: 'broken'; problem: string };

/** Templates come from users: they see given values only, no files, and are stopped early. */
const limits = {
  ownPropertyOnly: true,
  strictVariables: true,
  strictFilters: true,
  lenientIf: true,
  parseLimit: 20_000,
  renderLimit: 200,
  memoryLimit: 1_000_000,
  templates: {},
} as const;
const problemMax = 200;

/** Text for people: values are unchanged, except where they could be mistaken for the receiver's markup or our marks. */
const textEngines = new Map<Dialect, Liquid>();

function textEngineOf(dialect: Dialect): Liquid {
  const engine =
    textEngines.get(dialect) ?? engineWith((value) => dialect.literal(withoutMarks(asText(value))), { json: asText });
  textEngines.set(dialect, engine);
  return engine;
}

const jsonEngine = engineWith(markValue, { json: (value) => JSON.stringify(value ?? null) });

/** Does the text have anything to fill in? */
export function isTemplate(text: string | undefined): boolean {
  return text !== undefined && (text.includes('{{') || text.includes('{%'));
}

/**
 * The rendered text; broken if it can't be parsed, uses a field that a variable never has, or exceeds a limit. A missing
 * value is empty; an unknown name stays as written, so that it gets noticed (U-50).
 */
export function renderText(template: string, variables: Variables, dialect: Dialect = plain): Rendered {
  return render(textEngineOf(dialect), template, variables);
}

/**
 * As `renderText`, for JSON: inside quotes a value is escaped (U-41), elsewhere it is written as JSON, `null` when there
 * is none. Broken too when it makes no JSON. `{{ value | json }}` writes a whole JSON value anywhere.
 */
export function renderJson(template: string, variables: Variables): Rendered {
  const rendered = render(jsonEngine, template, variables);
  if (rendered.kind === 'broken') return rendered;
  const text = settleValues(rendered.text);
  const problem = jsonProblem(text);
  return problem === undefined ? { kind: 'text', text } : { kind: 'broken', problem };
}

/** Private-use characters mark places in a template; a value never brings them in. */
export const mark = { start: '\uE000', end: '\uE001' } as const;

export function withoutMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '').replace(valueMarks, '');
}

function engineWith(outputEscape: (value: unknown) => string, { json }: { json: (value: unknown) => string }): Liquid {
  const engine = new Liquid({ ...limits, outputEscape });
  for (const name of Object.keys(engine.filters)) {
    if (!allowedFilters.has(name)) delete engine.filters[name];
  }
  engine.registerFilter('same', (one: unknown, other: unknown) => asText(one) === asText(other));
  engine.registerFilter('json', { raw: true, handler: json });
  return engine;
}

function render(engine: Liquid, template: string, variables: Variables): Rendered {
  if (!isTemplate(template)) return { kind: 'text', text: template };
  try {
    const parsed = engine.parse(handlebarsToLiquid(template));
    const known = { ...placeholders(engine.globalVariablesSync(parsed)), ...variables };
    const text = engine.renderSync(parsed, withAbsent(known, engine.globalVariableSegmentsSync(parsed)));
    return { kind: 'text', text };
  } catch (error) {
    return { kind: 'broken', problem: problemOf(error) };
  }
}

function problemOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : '').split('\n');
  return withoutMarks(line).slice(0, problemMax);
}

function jsonProblem(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const [, position] = /position (\d+)/.exec(error instanceof Error ? error.message : '') ?? [];
    return position === undefined
      ? 'it does not produce valid JSON'
      : `it does not produce valid JSON, at character ${position}`;
  }
}

/** Which attributes there are, the data says: those that a template asks for and are absent have no value. */
function withAbsent(variables: Variables, asked: readonly (readonly unknown[])[]): Variables {
  const { attributes } = variables;
  const paths = asked.filter(([name]) => name === 'attributes').map(([, ...path]) => path);
  if (!isRecord(attributes) || paths.length === 0) return variables;
  return { ...variables, attributes: paths.reduce(withPath, attributes) };
}

function withPath(values: Record<string, unknown>, [name, ...rest]: readonly unknown[]): Record<string, unknown> {
  if (typeof name !== 'string') return values;
  const present = Object.hasOwn(values, name) ? values[name] : null;
  return Object.assign(Object.create(null), values, {
    [name]: isRecord(present) && rest.length > 0 ? withPath(present, rest) : present,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function placeholders(names: readonly string[]): Variables {
  return Object.fromEntries(names.map((name) => [name, new UnknownVariable(name)]));
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (value instanceof UnknownVariable) return value.toString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

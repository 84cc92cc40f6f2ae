import { Liquid } from 'liquidjs';
import { handlebarsToLiquid } from './handlebars.ts';

export type Variables = Readonly<Record<string, unknown>>;

/** `fault` is a sentence for the author of the template. */
export type Rendered = { kind: 'text'; text: string } | { kind: 'broken'; fault: string };

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
const faultMax = 200;

/** Text for people: values stand as they are, so far as they can't be taken for a mark of our own. */
const textEngine = engineWith((value) => withoutMarks(asText(value)));

/** JSON text: a value is escaped where it stands, so quotes and line breaks can't break the message (U-41). */
const jsonEngine = engineWith((value) => escapeJsonText(asText(value)));
jsonEngine.registerFilter('json', { raw: true, handler: (value: unknown) => JSON.stringify(value ?? null) });

/** The rendered text; broken when it can't be read, asks for an unknown field of a variable, or passes a limit. */
export function renderText(template: string, variables: Variables): Rendered {
  return render(textEngine, template, variables);
}

/** As `renderText`, each value escaped for a JSON string. `{{ value | json }}` writes a whole JSON value. */
export function renderJson(template: string, variables: Variables): Rendered {
  return render(jsonEngine, template, variables);
}

/** Private-use characters mark places in a template; a value never brings them in. */
export const mark = { start: '\uE000', end: '\uE001' } as const;

export function withoutMarks(text: string): string {
  return text.replace(/[\uE000\uE001]/g, '');
}

function engineWith(outputEscape: (value: unknown) => string): Liquid {
  const engine = new Liquid({ ...limits, outputEscape });
  engine.registerFilter('same', (one: unknown, other: unknown) => asText(one) === asText(other));
  return engine;
}

function render(engine: Liquid, template: string, variables: Variables): Rendered {
  if (!template.includes('{{') && !template.includes('{%')) return { kind: 'text', text: template };
  try {
    const parsed = engine.parse(handlebarsToLiquid(template));
    const text = engine.renderSync(parsed, { ...placeholders(engine.globalVariablesSync(parsed)), ...variables });
    return { kind: 'text', text };
  } catch (error) {
    return { kind: 'broken', fault: faultOf(error) };
  }
}

function faultOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : '').split('\n');
  return withoutMarks(line).slice(0, faultMax);
}

/** An unknown variable stays visible as it was written, instead of leaving a gap that nobody notices (U-50). */
function placeholders(names: readonly string[]): Variables {
  return Object.fromEntries(names.map((name) => [name, `{{${name}}}`]));
}

function asText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function escapeJsonText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

import { Liquid } from 'liquidjs';

export type Variables = Readonly<Record<string, unknown>>;

/** Templates come from users: they see given values only, no files, and are stopped early. */
const limits = {
  ownPropertyOnly: true,
  strictVariables: true,
  strictFilters: true,
  parseLimit: 20_000,
  renderLimit: 200,
  memoryLimit: 1_000_000,
  templates: {},
} as const;

/** Text for people: values stand as they are. */
const textEngine = new Liquid(limits);

/** JSON text: a value is escaped where it stands, so quotes and line breaks can't break the message (U-41). */
const jsonEngine = new Liquid({ ...limits, outputEscape: (value: unknown) => escapeJsonText(asText(value)) });
jsonEngine.registerFilter('json', { raw: true, handler: (value: unknown) => JSON.stringify(value ?? null) });

/** The rendered text; `undefined` when the template is broken, asks for an unknown field of a variable, or passes a limit. */
export function renderText(template: string, variables: Variables): string | undefined {
  return render(textEngine, template, variables);
}

/** As `renderText`, each value escaped for a JSON string. `{{ value | json }}` writes a whole JSON value. */
export function renderJson(template: string, variables: Variables): string | undefined {
  return render(jsonEngine, template, variables);
}

function render(engine: Liquid, template: string, variables: Variables): string | undefined {
  if (!template.includes('{{') && !template.includes('{%')) return template;
  try {
    const parsed = engine.parse(template);
    return engine.renderSync(parsed, { ...placeholders(engine.globalVariablesSync(parsed)), ...variables });
  } catch {
    return undefined;
  }
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

/** What a template has in the place of a value of the row. */
export interface TemplateValue {
  kind: 'value';
  column: string;
  helper?: 'encodeURIComponent' | 'int' | 'json' | 'default';
  /** Of `default`. */
  fallback?: string;
}

/** One of two texts, by whether a value of the row is this text. */
export interface TemplateChoice {
  kind: 'choice';
  column: string;
  equals: string;
  yes: TemplatePart[];
  no: TemplatePart[];
}

export type TemplatePart = string | TemplateValue | TemplateChoice;

/** A template that can't be read: what is wrong, and at which character. */
export class LinkTemplateError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

const tag = /\{\{\{?([^{}]*)\}?\}\}/y;
const plainValue = /^(?:\[([^\]]+)\]|([^\s"'()[\]{}#/]+))$/;
const helpedValue =
  /^(encodeURIComponent|int|json|default)\s+(?:\[([^\]]+)\]|([^\s"'()[\]{}#/]+))(?:\s+("[^"]*"|'[^']*'|-?\d+))?$/;
const choiceStart = /^#eq\s+(?:\[([^\]]+)\]|([^\s"'()[\]{}#/]+))\s+("[^"]*"|'[^']*'|-?\d+)$/;

const nestingMax = 8;

/**
 * Reads `{{column}}`, `{{[a column]}}`, `{{int column}}`, `{{json column}}`, `{{encodeURIComponent column}}`,
 * `{{default column "none"}}` and `{{#eq column "a"}} … {{else}} … {{/eq}}`: the Handlebars that links of existing
 * dashboards are written in. Throws `LinkTemplateError`.
 */
export function parseLinkTemplate(text: string): TemplatePart[] {
  const reader = new TemplateReader(text);
  return reader.parts();
}

class TemplateReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The parts up to the end, or to `{{else}}` or `{{/eq}}` of the choice that they are in. */
  parts(depth = 0): TemplatePart[] {
    const parts: TemplatePart[] = [];
    while (this.#at < this.#text.length) {
      const start = this.#text.indexOf('{{', this.#at);
      const end = start === -1 ? this.#text.length : start;
      if (end > this.#at) parts.push(this.#text.slice(this.#at, end));
      this.#at = end;
      if (start === -1) return closed(parts, { depth, at: start });
      const content = this.#peek();
      if (content === 'else' || content === '/eq') {
        if (depth > 0) return parts;
        throw new LinkTemplateError(`{{${content}}} has no {{#eq …}} before it`, start);
      }
      parts.push(this.#part(depth));
    }
    return closed(parts, { depth, at: this.#at });
  }

  #part(depth: number): TemplatePart {
    const start = this.#at;
    const content = this.#take();
    const choice = choiceStart.exec(content);
    if (choice) return this.#choice(choice, depth, start);
    const value = plainValue.exec(content);
    if (value) return { kind: 'value', column: value[1] ?? value[2] ?? '' };
    const helped = helpedValue.exec(content);
    if (!helped) {
      const known = '{{column}}, {{[a column]}}, {{int column}}, {{json column}}, {{encodeURIComponent column}}';
      throw new LinkTemplateError(
        `can’t read {{${content.slice(0, 40)}}}; write ${known}, {{default column "none"}} or {{#eq column "a"}}…{{/eq}}`,
        start,
      );
    }
    const [, helper, bracketed, bare, literal] = helped;
    if ((helper === 'default') !== (literal !== undefined)) {
      throw new LinkTemplateError(
        helper === 'default' ? 'default needs a column and a text in quotes' : `${helper} takes one column`,
        start,
      );
    }
    return {
      kind: 'value',
      column: bracketed ?? bare ?? '',
      // One of those that the expression above names.
      helper: helper as NonNullable<TemplateValue['helper']>,
      ...(literal !== undefined && { fallback: unquoted(literal) }),
    };
  }

  #choice(found: RegExpExecArray, depth: number, start: number): TemplateChoice {
    if (depth >= nestingMax) throw new LinkTemplateError(`{{#eq}} may be nested ${nestingMax} deep`, start);
    const yes = this.parts(depth + 1);
    const isElse = this.#take() === 'else';
    const no = isElse ? this.parts(depth + 1) : [];
    if (isElse && this.#take() !== '/eq') throw new LinkTemplateError('{{#eq …}} has a second {{else}}', start);
    const [, bracketed, bare, literal = ''] = found;
    return { kind: 'choice', column: bracketed ?? bare ?? '', equals: unquoted(literal), yes, no };
  }

  #peek(): string {
    tag.lastIndex = this.#at;
    const found = tag.exec(this.#text);
    if (!found) throw new LinkTemplateError('{{ is not closed by }}', this.#at);
    return (found[1] ?? '').trim();
  }

  #take(): string {
    const content = this.#peek();
    this.#at = tag.lastIndex;
    return content;
  }
}

function closed(parts: TemplatePart[], { depth, at }: { depth: number; at: number }): TemplatePart[] {
  if (depth > 0) throw new LinkTemplateError('{{#eq …}} is not closed by {{/eq}}', Math.max(at, 0));
  return parts;
}

function unquoted(literal: string): string {
  return /^["']/.test(literal) ? literal.slice(1, -1) : literal;
}

/** What is wrong with a template; `undefined` if it can be used. */
export function linkTemplateProblem(text: string): string | undefined {
  try {
    parseLinkTemplate(text);
    return undefined;
  } catch (error) {
    if (error instanceof LinkTemplateError) return `${error.message} (at character ${error.position + 1})`;
    throw error;
  }
}

/** What is wrong with the template of an address; `undefined` if it can lead somewhere. */
export function urlTemplateProblem(text: string): string | undefined {
  const problem = linkTemplateProblem(text);
  if (problem !== undefined) return problem;
  const [first = ''] = parseLinkTemplate(text);
  if (typeof first !== 'string' || /^https?:\/\/./i.test(text)) return undefined;
  return 'must begin with https:// or http://, or with a value of the row that does';
}

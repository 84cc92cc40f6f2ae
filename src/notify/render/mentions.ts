import { trimTrailing } from '../../kernel/trim-trailing.ts';
import { type Dialect, plain } from './dialect.ts';
import { mark, type Rendered, renderText, type Variables, withoutMarks } from './templates.ts';

/** At the start or after a blank; the name may hold template expressions: `@webhook-{{attributes.team}}`. */
const mention = /(^|\s|[%}]\})@webhook-((?:\{\{(?![#/]|else\b)[^{}]*\}\}|[^\s{}])+)/g;
const marked = new RegExp(`[ \\t]?${mark.start}([^${mark.end}]*)${mark.end}`, 'g');

export type RenderedMessage = Rendered & {
  /** Ids or beginnings of names of webhooks, in order, each once. */
  mentions: readonly string[];
};

/**
 * The message of an alert without its `@webhook-…` mentions, and the webhooks they name (contract §3.6). A mention must
 * be in the template itself, not in a value; one in a block that is not rendered does not count.
 */
export function renderMessage(template: string, variables: Variables, dialect: Dialect = plain): RenderedMessage {
  const rendered = renderText(
    withoutMarks(template).replace(mention, (_all, before: string, name: string) => {
      return `${before}${mark.start}${name}${mark.end}`;
    }),
    variables,
    dialect,
  );
  if (rendered.kind === 'broken') return { ...rendered, mentions: [] };
  const names = [...rendered.text.matchAll(marked)].map(([, name = '']) => trimTrailing(name, '.,;:!?)'));
  const text = rendered.text.replace(marked, '').trim();
  return { kind: 'text', text, mentions: [...new Set(names.filter((name) => name !== ''))] };
}

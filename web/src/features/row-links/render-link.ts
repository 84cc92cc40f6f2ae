import { parseLinkTemplate, type TemplatePart, type TemplateValue } from '../../../../src/contract/link-template.ts';
import { substituteVariables } from '../../../../src/contract/substitute-variables.ts';
import type { TileVariable } from '../../../../src/contract/variables.ts';

export type LinkCell = string | number | null;
/** Values of a row by the name of their column. */
export type LinkRow = ReadonlyMap<string, LinkCell>;

/** Why a row leads nowhere, as a sentence. */
export class LinkError extends Error {}

/** A text for people or names: the values as they are. Throws `LinkError`. */
export function renderText(template: string, row: LinkRow): string {
  return partsIn(parseLinkTemplate(template), row)
    .map((part) => (typeof part === 'string' ? part : valueText(part, row)))
    .join('');
}

/**
 * A condition: every value of the row, like every variable, is one literal of the language, whatever it contains.
 * Throws `LinkError`.
 */
export function renderCondition(
  template: string,
  language: 'lucene' | 'sql',
  { row, variables }: { row: LinkRow; variables: readonly TileVariable[] },
): string {
  const ofRow: TileVariable[] = [];
  const text = partsIn(parseLinkTemplate(template), row)
    .map((part) => {
      if (typeof part === 'string') return part;
      const name = `signalboxRowValue${ofRow.length}`;
      const cell = row.get(part.column);
      // Its quotes are ours to write.
      const value = part.helper === 'json' ? String(cell ?? '') : valueText(part, row);
      ofRow.push({ name, values: [value] });
      // Numbers are no texts; `csv` writes them as they are.
      return typeof cell === 'number' || part.helper === 'int' ? `\${${name}:csv}` : `\${${name}}`;
    })
    .join('');
  return substituteVariables(text, language, [...variables, ...ofRow]).text;
}

/**
 * An address. Values are percent-encoded, so that none adds a host, a path or a parameter; only one with which the
 * template begins may be an address, or its beginning. Throws `LinkError` unless it is one of http or https.
 */
export function renderUrl(template: string, row: LinkRow): string {
  const parts = partsIn(parseLinkTemplate(template), row);
  const text = parts
    .map((part, index) => {
      if (typeof part === 'string') return part;
      const value = valueText(part, row);
      return index === 0 || part.helper === 'encodeURIComponent' ? value : encodeURIComponent(value);
    })
    .join('');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new LinkError('The row makes no address that begins with http:// or https://.');
  }
  return url.href;
}

type Rendered = string | TemplateValue;

function partsIn(parts: readonly TemplatePart[], row: LinkRow): Rendered[] {
  return parts.flatMap((part): Rendered[] => {
    if (typeof part === 'string' || part.kind === 'value') return [part];
    const isEqual = String(cellOf(part.column, row) ?? '') === part.equals;
    return partsIn(isEqual ? part.yes : part.no, row);
  });
}

function cellOf(column: string, row: LinkRow): LinkCell {
  const cell = row.get(column);
  if (cell === undefined) throw new LinkError(`The row has no column “${column}”.`);
  return cell;
}

function valueText({ column, helper, fallback = '' }: TemplateValue, row: LinkRow): string {
  const cell = cellOf(column, row);
  if (helper === undefined) return String(cell ?? '');
  switch (helper) {
    case 'json':
      return JSON.stringify(cell);
    case 'int':
      return intText(cell);
    case 'default':
      return cell === null || cell === '' ? fallback : String(cell);
    case 'encodeURIComponent':
      return encodeURIComponent(String(cell ?? ''));
  }
}

function intText(cell: LinkCell): string {
  const number = cell === null || cell === '' ? Number.NaN : Number.parseFloat(String(cell));
  return Number.isFinite(number) ? String(Math.round(number)) : '';
}

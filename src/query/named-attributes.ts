import { mapFields } from './ast/map-fields.ts';
import type { TextExpr } from './ast/text-expr.ts';
import type { ChartQuery, WhereLanguage } from './chart-query.ts';
import { parseLucene } from './lucene/parse-lucene.ts';
import { resolveFields } from './passes/resolve-fields.ts';
import { scopeOf } from './schema/scope.ts';
import { type SourceSchema, tableOfSchema } from './source-schema.ts';
import { parseSqlCondition, parseSqlValue } from './sql/parse-sql.ts';

/** A text of a request, and where it is. */
export interface RequestText {
  path: string;
  text: string;
  language: WhereLanguage | 'value';
}

/** An attribute that a text names, which may not exist. */
export interface NamedAttribute {
  path: string;
  /** In the text, characters from 0. */
  position: number;
  key: string;
  /** Map columns in which it is looked up. */
  maps: readonly string[];
}

/** The texts of a chart, by their paths in it. */
export function textsOfChart({ series, groupBy, conditions = [] }: ChartQuery): RequestText[] {
  return [
    ...series.flatMap(({ where, whereLanguage, field }, index) => [
      { path: `series.${index}.where`, text: where, language: whereLanguage },
      ...(field === undefined ? [] : [{ path: `series.${index}.field`, text: field, language: 'value' as const }]),
    ]),
    ...groupBy.map((text, index) => ({ path: `groupBy.${index}`, text, language: 'value' as const })),
    ...conditions.map(({ path, where, whereLanguage }) => ({ path, text: where, language: whereLanguage })),
  ];
}

/** The attributes that the texts name, each once. Throws `QueryTextError` for a text that can't be read. */
export function namedAttributes(texts: readonly RequestText[], source: SourceSchema): NamedAttribute[] {
  const table = tableOfSchema(source);
  if (!table) return [];
  const scope = scopeOf(source, table);
  const named = new Map<string, NamedAttribute>();
  for (const { path, text, language } of texts) {
    mapFields(resolveFields(parse(text, language), scope), (field) => {
      if (field.kind !== 'attribute') return field;
      const maps = field.places.map(({ map }) => map);
      const id = JSON.stringify([path, field.key, maps]);
      if (!named.has(id)) named.set(id, { path, position: field.start, key: field.key, maps });
      return field;
    });
  }
  return [...named.values()];
}

function parse(text: string, language: RequestText['language']): TextExpr {
  if (language === 'lucene') return parseLucene(text);
  return language === 'sql' ? parseSqlCondition(text) : parseSqlValue(text);
}

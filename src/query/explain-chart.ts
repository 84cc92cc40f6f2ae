import type { TextExpr } from './ast/text-expr.ts';
import type { ChartQuery, WhereLanguage } from './chart-query.ts';
import { planChart } from './compile-chart.ts';
import { textPasses } from './compile-text.ts';
import { parseLucene } from './lucene/parse-lucene.ts';
import type { Select } from './plan/select.ts';
import { scopeOf } from './schema/scope.ts';
import type { SourceSchema, TableSchema } from './source-schema.ts';
import { parseSqlCondition, parseSqlValue } from './sql/parse-sql.ts';

/** One thing that happens on the way from a request to its plan. */
export interface Step {
  title: string;
  /** A tree as JSON. */
  text: string;
}

/**
 * How a chart is planned, step by step: the tree of each text after each pass, the plan after each pass. For people who
 * work on the compiler. Throws as `planChart` does.
 */
export function explainChart(query: ChartQuery, source: SourceSchema): Step[] {
  const table = source.kind === 'metric' ? Object.values(source.tables)[0] : source.table;
  return [
    ...(table ? textsOf(query).flatMap((each) => explainText(each, source, table)) : []),
    ...explainPlan(query, source),
  ];
}

interface UserText {
  path: string;
  text: string;
  language: WhereLanguage | 'value';
}

function textsOf({ series, groupBy, conditions = [] }: ChartQuery): UserText[] {
  const ofSeries = series.flatMap(({ where, whereLanguage, field }, index): UserText[] => [
    { path: `series.${index}.where`, text: where, language: whereLanguage },
    ...(field === undefined ? [] : [{ path: `series.${index}.field`, text: field, language: 'value' as const }]),
  ]);
  const ofConditions = conditions.map(
    ({ where, whereLanguage, path }): UserText => ({ path, text: where, language: whereLanguage }),
  );
  const ofGroups = groupBy.map((text, index): UserText => ({ path: `groupBy.${index}`, text, language: 'value' }));
  return [...ofConditions, ...ofSeries, ...ofGroups].filter(({ text }) => text.trim() !== '');
}

function explainText({ path, text, language }: UserText, source: SourceSchema, table: TableSchema): Step[] {
  const scope = scopeOf(source, table);
  let tree = parse(text, language);
  const steps: Step[] = [{ title: `${path}, parsed: ${text}`, text: treeText(tree) }];
  for (const pass of textPasses) {
    const before = treeText(tree);
    tree = pass(tree, scope);
    const after = treeText(tree);
    steps.push({ title: `${path}, after ${pass.name}`, text: after === before ? 'unchanged' : after });
  }
  return steps;
}

function parse(text: string, language: UserText['language']): TextExpr {
  if (language === 'lucene') return parseLucene(text);
  return language === 'sql' ? parseSqlCondition(text) : parseSqlValue(text);
}

function explainPlan(query: ChartQuery, source: SourceSchema): Step[] {
  const plan = planChart(query, source);
  const { events, cheapest, isSummarised, folded } = plan;
  const steps = isSummarised || cheapest === events ? 'unchanged' : planText(cheapest);
  return [
    { title: 'plan', text: planText(events) },
    { title: 'plan, after useCountProjections', text: isSummarised ? planText(cheapest) : 'unchanged' },
    { title: 'plan, after groupCheaply', text: steps },
    { title: 'plan, after foldBuckets', text: folded ? planText(folded.unfold(folded.groups)) : 'unchanged' },
  ];
}

function treeText(tree: TextExpr): string {
  return JSON.stringify(tree, null, 2);
}

/** Tables by name: their columns are not part of the plan. */
function planText(plan: Select): string {
  const brief = (key: string, value: unknown) =>
    key === 'table' && typeof value === 'object' && value !== null && 'table' in value ? value.table : value;
  return JSON.stringify(plan, brief, 2);
}

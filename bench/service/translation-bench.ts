import type { WhereLanguage } from '../../src/query/chart-query.ts';
import { compileChart } from '../../src/query/compile-chart.ts';
import { testChart, testGuards, testLogs } from '../../src/query/testing.ts';
import type { Row } from '../report.ts';
import { median } from '../statistics.ts';

const rounds = 5;
/** Enough for the runtime to have compiled what it runs, as in a server that is up. */
const repeats = 300;

/** As people type them into a chart. */
const texts: Readonly<Record<WhereLanguage, readonly string[]>> = {
  lucene: [
    'timeout',
    '"connection refused"',
    'SeverityText:error',
    'ServiceName:checkout -SeverityText:info',
    'LogAttributes.http.status_code:>=500',
    'LogAttributes.http.status_code:[500 TO 599] AND ServiceName:(cart OR checkout OR payment)',
    'ResourceAttributes.k8s.pod.name:checkout* NOT "health check"',
    '*declin* OR (SeverityText:"warn" AND LogAttributes.http.duration_ms:>500)',
  ],
  sql: [
    "SeverityText = 'error'",
    "SeverityText = 'error' AND LogAttributes['http.status_code'] = '500'",
    "ServiceName IN ('cart', 'checkout', 'payment') AND SeverityText != 'info'",
    "toFloat64OrNull(LogAttributes['http.duration_ms']) BETWEEN 100 AND 500",
    "Body ILIKE '%declin%' OR (SeverityNumber >= 17 AND NOT ResourceAttributes['k8s.pod.name'] LIKE 'checkout%')",
  ],
};

/** From a where to SQL: what a chart with it costs to compile beyond one without. */
export function benchTranslation(): Row[] {
  return (['lucene', 'sql'] as const).map((language) => {
    const figures = Array.from({ length: rounds + 1 }, () => {
      const without = compileMs([''], language);
      return compileMs(texts[language], language) - without;
    });
    return {
      name: `translation of a ${language === 'sql' ? 'SQL' : 'Lucene'} where, mean of ${texts[language].length} typical texts`,
      unit: 'CPU ms',
      subject: median(figures.slice(1)), // the first warms up
      goal: '≤ 0.2',
    };
  });
}

/** Mean of compiling a chart for each of the texts. */
function compileMs(wheres: readonly string[], whereLanguage: WhereLanguage): number {
  const before = process.cpuUsage();
  for (let turn = 0; turn < repeats; turn++) {
    for (const where of wheres) compileChart(testChart([{ where, whereLanguage }]), testLogs, testGuards);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / repeats / wheres.length;
}

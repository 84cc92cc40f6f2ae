import type { DisturbedOutcome, Ingested } from './disturb.ts';

/** Small requests that a process was writing when it was killed may be stored twice: docs/reliability.md says so. */
export function isFlawless({ large, small, alerts, lostEdits, failures }: DisturbedOutcome): boolean {
  const ingested = [large, small].map(({ lost, givenUp, failedTwice }) => lost + givenUp + failedTwice);
  const problems = [...ingested, large.doubled, alerts.lost, alerts.doubled, lostEdits, failures.length];
  return problems.every((count) => count === 0);
}

/** What happened, as shown in the docs. */
export function processesReport(outcome: DisturbedOutcome): string {
  const { alerts } = outcome;
  return [
    `In ${outcome.minutes} minutes ${outcome.kills} processes were killed and PostgreSQL was restarted ${outcome.postgresRestarts === 2 ? 'twice' : `${outcome.postgresRestarts} times`}.`,
    '',
    '| what | how many | lost | doubled | sent again | failed after one retry |',
    '|---|---|---|---|---|---|',
    row('records in requests of 8,000', ingested(outcome.large)),
    row('records in requests of 20 to 300', ingested(outcome.small)),
    row(`notifications of ${number(alerts.windows)} windows`, [
      ...[number(alerts.expected), bold(alerts.lost), bold(alerts.doubled)],
      ...[`${number(alerts.repeated)} with the same key`, '–'],
    ]),
    row('API calls', [number(outcome.calls), '–', '–', number(outcome.callsRetried), bold(outcome.failures.length)]),
    row('edits of dashboards', [number(outcome.edits), bold(outcome.lostEdits), '–', '–', '–']),
  ].join('\n');
}

function ingested({ records, lost, doubled, requests, resent, failedTwice, givenUp }: Ingested): string[] {
  const sentAgain = `${number(resent)} of ${number(requests)} requests`;
  return [number(records), bold(lost), bold(doubled), sentAgain, bold(failedTwice + givenUp)];
}

const row = (name: string, cells: readonly string[]) => `| ${[name, ...cells].join(' | ')} |`;
const number = (value: number) => value.toLocaleString('en-US');
const bold = (value: number) => (value > 0 ? `**${number(value)}**` : '0');

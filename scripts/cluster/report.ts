import type { Phase } from './phases.ts';

export function isFlawless({ lost, doubled, givenUp, reads }: Phase): boolean {
  return lost + doubled + givenUp + reads.wrong === 0;
}

/** What happened, as shown in the docs. */
export function clusterReport(
  suites: { passed: number; failed: number } | undefined,
  phases: readonly Phase[],
): string {
  const struck = phases.filter(({ skipped }) => skipped === undefined);
  const sum = (of: (phase: Phase) => number) => struck.reduce((total, phase) => total + of(phase), 0);
  const lines = [
    ...(suites ? [`Contract and chart suites: ${suites.passed} passed, ${suites.failed} failed.`] : []),
    `With faults: ${number(sum(({ records }) => records))} records stored, ${sum(({ lost }) => lost)} lost, ${sum(({ doubled }) => doubled)} doubled; of ${number(sum(({ requests }) => requests))} requests, ${number(sum(({ resent }) => resent))} were sent more than once.`,
    '',
    '| what happens | records stored | lost | doubled | requests | sent again | never acknowledged | slowest (s) | charts right | errors | wrong |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...phases.map(rowOf),
  ];
  return lines.join('\n');
}

function rowOf(phase: Phase): string {
  const { name, skipped, reads } = phase;
  if (skipped) return `| ${name} | skipped: ${skipped} | | | | | | | | | |`;
  const cells = [
    ...[number(phase.records), bold(phase.lost), bold(phase.doubled), number(phase.requests), number(phase.resent)],
    ...[bold(phase.givenUp), (phase.slowestMs / 1_000).toFixed(1), reads.right, reads.errors, bold(reads.wrong)],
  ];
  return `| ${name} | ${cells.join(' | ')} |`;
}

const number = (value: number) => value.toLocaleString('en-US');
const bold = (value: number) => (value > 0 ? `**${number(value)}**` : '0');

import type { Outcome } from './run.ts';

const goals = { wireBytes: 1_000_000, cpuS: 1, extraMb: 300, p99Ms: 100 };

const kindNames = {
  A: 'work per byte received',
  B: 'many requests together',
  C: 'large, but legal',
  D: 'where connections go',
  E: 'bad input',
} as const;

/** The costliest of each kind, what passes a goal, and how many there were. */
export function attackTable(outcomes: readonly Outcome[], ended: number): string {
  const rows = outcomes.filter(isWorthARow).map(rowOf);
  const single = outcomes.filter(isSingle);
  const worst = (of: (outcome: Outcome) => number, among = outcomes) => Math.max(0, ...among.map(of));
  const summary = [
    `${outcomes.length} attacks, ${single.length} of them a single request of at most 1 MB on the wire.`,
    `The costliest of those: ${worst(cpuOf, single).toFixed(2)} CPU s and ${worst(memoryOf, single).toFixed(0)} MB.`,
    `\`/health\`, requested every 20 ms: p99 ${median(outcomes.map(p99Of)).toFixed(0)} ms in the median attack, ${worst(p99Of).toFixed(0)} ms in the worst.`,
    `A bare Node.js server beside it, requested likewise: p99 ${median(outcomes.map(bareOf)).toFixed(0)} ms in the median attack, ${worst(bareOf).toFixed(0)} ms in the worst.`,
    `Wrong answers: ${outcomes.filter(({ right }) => !right).length}. The process ended ${ended} times.`,
  ];
  return [
    ...summary,
    '',
    '| what | attack | bytes on the wire | answer | CPU s | MB more | `/health` p99, worst (ms) | bare server (ms) |',
    '|---|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

const cpuOf = ({ usage }: Outcome) => usage?.cpuS ?? Number.POSITIVE_INFINITY;
const memoryOf = ({ usage }: Outcome) => usage?.extraMb ?? Number.POSITIVE_INFINITY;
const p99Of = ({ usage }: Outcome) => usage?.health.p99Ms ?? Number.POSITIVE_INFINITY;
const bareOf = ({ usage }: Outcome) => usage?.bare.p99Ms ?? 0;
const isSingle = ({ attack }: Outcome) => attack.wireBytes !== undefined && attack.wireBytes <= goals.wireBytes;

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** Cheap requests that were answered as they should say nothing beyond the count. */
function isWorthARow(outcome: Outcome): boolean {
  const { right, attack } = outcome;
  return (
    !right ||
    attack.kind === 'B' ||
    cpuOf(outcome) > goals.cpuS / 2 ||
    memoryOf(outcome) > goals.extraMb / 3 ||
    p99Of(outcome) > goals.p99Ms
  );
}

function rowOf(outcome: Outcome): string {
  const { attack, usage, status, right } = outcome;
  const bold = (text: string, fails: boolean) => (fails ? `**${text}**` : text);
  const bounded = isSingle(outcome);
  const cells = usage
    ? [
        bold(usage.cpuS.toFixed(2), bounded && usage.cpuS > goals.cpuS),
        bold(usage.extraMb.toFixed(0), bounded && usage.extraMb > goals.extraMb),
        `${bold(usage.health.p99Ms.toFixed(0), usage.health.p99Ms > goals.p99Ms)}, ${usage.health.worstMs.toFixed(0)}`,
        `${usage.bare.p99Ms.toFixed(0)}, ${usage.bare.worstMs.toFixed(0)}`,
      ]
    : ['**ended**', '', '', ''];
  const bytes = attack.wireBytes?.toLocaleString('en-US') ?? 'many';
  const name = attack.name.replaceAll('|', '\\|');
  return `| ${kindNames[attack.kind]} | ${name} | ${bytes} | ${bold(String(status), !right)} | ${cells.join(' | ')} |`;
}

/** The page with the text between its markers replaced. */
export function withFigures(page: string, name: string, figures: string): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [page.indexOf(start), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`the page has no place for ${name}`);
  return `${page.slice(0, from + start.length)}\n${figures}\n${page.slice(to)}`;
}

import type { Outcome } from './outcome.ts';

interface Soaked {
  minutes: number;
  outcome: Outcome;
  memory: readonly { program: number; engine: number }[];
  struck: ReadonlyMap<string, number>;
  answers: ReadonlyMap<number, number>;
  sent: number;
  reads: number;
  dashboardsSaved: number;
  savedIsStored: boolean;
  diskIsOwn: boolean;
}

/** The results of the soak, as shown in the docs. */
export function soakReport(soaked: Soaked): string {
  const { outcome, memory, struck, answers } = soaked;
  const quarter = Math.ceil(memory.length / 4);
  const [first, last] = [memory.slice(0, quarter), memory.slice(-quarter)];
  const from = (part: typeof first) =>
    `${median(part.map(({ program }) => program))} MB and ${median(part.map(({ engine }) => engine))} MB`;
  const faults = [...struck].map(([name, times]) => `${name} (${times} ×)`).join(', ');
  const statuses = [...answers].map(([status, times]) => `${times} × ${status || 'no answer'}`).join(', ');
  return [
    `${soaked.minutes.toFixed(0)} minutes over PostgreSQL and the embedded engine, with ${faults}.${soaked.diskIsOwn ? '' : ' The disk could not be filled: no right to mount one.'}`,
    '',
    '| | |',
    '|---|---|',
    `| requests of 20 records, and their answers | ${soaked.sent}: ${statuses} |`,
    `| records stored | ${outcome.stored.toLocaleString('en-US')} |`,
    `| acknowledged and lost | ${outcome.lost} |`,
    `| stored twice | ${outcome.doubled} |`,
    `| alert messages, doubled, missing | ${outcome.messages}, ${outcome.messagesDoubled}, ${outcome.messagesMissing} |`,
    `| charts read, dashboards saved | ${soaked.reads}, ${soaked.dashboardsSaved}${soaked.savedIsStored ? '' : ' (the last one saved is lost)'} |`,
    `| resident memory of program and engine, median of the first quarter | ${from(first)} |`,
    `| of the last quarter | ${from(last)} |`,
  ].join('\n');
}

function median(values: readonly number[]): string {
  return (values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0).toFixed(0);
}

import { type Finding, findingsOf } from './finding.ts';

/** Alerts wait ten seconds for late rows by default: a clock that is off by more loses them. */
const skewMaxMs = 5_000;

export interface ClockFacts {
  nowMs: number;
  /** By store, what its clock showed at that time; only of servers. */
  servers: Readonly<Record<string, number>>;
  /** When the metadata store's schema was last changed. */
  lastChangeMs?: number | undefined;
}

/** Whether this machine's clock can be right: it is compared with those of the servers and with what is stored. */
export function checkClock({ nowMs, servers, lastChangeMs }: ClockFacts): Finding[] {
  const finding = findingsOf('clock');
  const time = new Date(nowMs).toISOString();
  const advice = 'Synchronise the clocks of all machines (NTP).';
  if (lastChangeMs !== undefined && lastChangeMs > nowMs + skewMaxMs) {
    return [finding.error(`The clock shows ${time}, before the last change of the store's schema.`, advice)];
  }
  const skewed = Object.entries(servers).filter(([, serverMs]) => Math.abs(serverMs - nowMs) > skewMaxMs);
  if (skewed.length === 0) return [finding.ok(`The clock shows ${time}.`)];
  return skewed.map(([name, serverMs]) => {
    const seconds = Math.round(Math.abs(serverMs - nowMs) / 1_000);
    return finding.warning(`The clocks of this machine and of ${name} differ by ${seconds} s.`, advice);
  });
}

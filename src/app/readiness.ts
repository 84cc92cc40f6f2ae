import type { Readiness, ReadinessReport } from '../http/service-routes.ts';
import { type Clock, delay } from '../kernel/clock.ts';
import { StoreUnavailableError } from '../kernel/store-unavailable-error.ts';

/** Rejects when the part cannot do its work. */
export type AskPart = () => Promise<unknown>;

export interface ReadinessOptions {
  parts: Readonly<Record<string, AskPart>>;
  clock: Clock;
  /** What needs attention although everything works. */
  warnings?: () => Promise<readonly string[]>;
}

/** Keeps every answer below five seconds, whatever hangs. */
const askWithinMs = 3_000;
/** Asking costs a write: many callers share one look. */
const keepMs = 1_000;

/** Checks all parts in parallel. A part that rejects, or does not answer in time, is unavailable. */
export function readinessOf({ parts, clock, warnings }: ReadinessOptions): Readiness {
  let last: { atMs: number; report: Promise<ReadinessReport> } | undefined;
  return {
    report() {
      const nowMs = clock.nowMs();
      if (!last || nowMs - last.atMs >= keepMs || nowMs < last.atMs) {
        last = { atMs: nowMs, report: lookAt(parts, clock, warnings) };
      }
      return last.report;
    },
  };
}

async function lookAt(
  parts: Readonly<Record<string, AskPart>>,
  clock: Clock,
  lookForWarnings: ReadinessOptions['warnings'],
): Promise<ReadinessReport> {
  const names = Object.keys(parts);
  const [reasons, warnings] = await Promise.all([
    Promise.all(Object.values(parts).map((ask) => reasonAgainst(ask, clock))),
    // A failure here is already reported as an unavailable part.
    lookForWarnings?.().catch(() => []) ?? [],
  ]);
  const failed = names.flatMap((name, at) => (reasons[at] === undefined ? [] : [[name, reasons[at]] as const]));
  return {
    parts: Object.fromEntries(names.map((name, at) => [name, reasons[at] === undefined ? 'ready' : 'unavailable'])),
    ...(failed.length > 0 && { reasons: Object.fromEntries(failed) }),
    ...(warnings.length > 0 && { warnings }),
  };
}

/** Only our own texts, as the response is public. */
async function reasonAgainst(ask: AskPart, clock: Clock): Promise<string | undefined> {
  const done = new AbortController();
  const late = delay(clock, askWithinMs, done.signal).then(() => 'It does not answer.');
  const asked = ask().then(
    () => undefined,
    (error: unknown) => (error instanceof StoreUnavailableError ? error.message : 'It cannot be reached.'),
  );
  const reason = await Promise.race([asked, late]);
  done.abort();
  return reason;
}

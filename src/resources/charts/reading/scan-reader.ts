import { planAlone, planReads } from './plan-reads.ts';
import type { PreparedScan } from './prepared-scan.ts';
import type { RanStatement, ReadPlan, ReadScan } from './read-plan.ts';
import type { ScanOptions, ScanRunner } from './scan-runner.ts';
import { WideScans } from './wide-scans.ts';

type Outcome = PromiseSettledResult<ReadScan>;

/** Carries out read plans. What a plan does not answer is read alone, with the top-N limit: there is no other way back. */
export class ScanReader {
  readonly #runner: Pick<ScanRunner, 'run'>;
  readonly #wide = new WideScans();

  constructor(runner: Pick<ScanRunner, 'run'>) {
    this.#runner = runner;
  }

  /** The outcome of each scan, in their order: a scan that fails does not touch the others. */
  async run(scans: readonly PreparedScan[], options: ScanOptions): Promise<Outcome[]> {
    const outcomes = new Map<PreparedScan, Outcome>();
    const plans = planReads(scans, this.#wide);
    await Promise.all(plans.map((plan) => this.#carryOut(plan, options, outcomes)));
    return scans.map((scan) => outcomes.get(scan) ?? { status: 'rejected', reason: new Error('a scan was not run') });
  }

  async #carryOut(plan: ReadPlan, options: ScanOptions, outcomes: Map<PreparedScan, Outcome>): Promise<void> {
    const ran = await this.#try(plan, options);
    const isSingle = plan.mechanism === 'single';
    const results = ran.status === 'fulfilled' ? plan.split(ran.value.result) : [];
    const open = plan.scans.filter((scan, index) => {
      const result = results[index];
      if (result && ran.status === 'fulfilled') {
        outcomes.set(scan, { status: 'fulfilled', value: { ...ran.value, result } });
      } else if (isSingle && ran.status === 'rejected') outcomes.set(scan, ran);
      return !outcomes.has(scan);
    });
    if (isSingle) for (const scan of open) this.#wide.add(scan);
    const reason = isSingle
      ? 'it has more groups than it shows, so only the largest are read'
      : 'the shared statement could not answer it completely';
    const before = ran.status === 'fulfilled' ? ran.value.statements : [];
    const alone = async (last: ReadPlan): Promise<void> => {
      const outcome = withStatements(before, await this.#try(last, options));
      for (const scan of last.scans) outcomes.set(scan, outcome);
    };
    await Promise.all(planAlone(open, reason).map(alone));
  }

  async #try(plan: ReadPlan, options: ScanOptions): Promise<Outcome> {
    const [outcome] = await Promise.allSettled([this.#runner.run(plan, options)]);
    return outcome;
  }
}

function withStatements(before: readonly RanStatement[], outcome: Outcome): Outcome {
  if (outcome.status === 'rejected') return outcome;
  const { result, statements } = outcome.value;
  return { status: 'fulfilled', value: { result, statements: [...before, ...statements] } };
}

import { assertNever } from '../kernel/assert-never.ts';
import type { TimeRange } from '../query/chart-query.ts';
import type { AlertStatus, MissingDataPolicy } from '../resources/alerts/alert.ts';
import { type AlertState, freshState, type GroupEvaluation, type GroupState } from './alert-state.ts';
import type { GroupPart, MuteCheck, MuteReason, NotificationReason, Reading, Sample } from './ports.ts';
import { breaks, staysBroken, type Threshold } from './threshold.ts';

/** The most groups one alert remembers; those that fire are kept first. */
const rememberedGroupsMax = 10_000;

export interface Rule extends Threshold {
  /** Breaching windows in a row before it fires; 1 = immediately. */
  consecutiveWindows: number;
  missingData?: MissingDataPolicy;
  /** Notified again after this long while firing. */
  repeatMs?: number;
}

export interface Change {
  reason: NotificationReason;
  group: readonly GroupPart[];
  value: number | null;
  firingSinceMs: number;
}

export interface Transition {
  next: AlertState;
  changes: readonly Change[];
  evaluations: readonly GroupEvaluation[];
}

/** One evaluated group and the notification it causes. */
interface Step {
  state: GroupState;
  value: number | null;
  change?: Change;
  /** Why a notification was suppressed. */
  suppressed?: MuteReason;
  /** Nothing is known about this window: the previous state is kept. */
  isKept?: true;
}

interface Context {
  rule: Rule;
  window: TimeRange;
  muted: MuteCheck;
}

type Samples = Extract<Reading, { kind: 'samples' }>;

const neverMuted: MuteCheck = () => undefined;

/**
 * One window of one alert: what was, what was read, what follows (decisions A6, A7). Pure. An error changes nothing:
 * it neither fires nor resolves. Muting suppresses the message, not the state: what still fires when the muting ends is
 * notified then, once, and an end is notified if and only if the start was.
 */
export function transition(
  rule: Rule,
  prior: AlertState,
  outcome: Reading,
  window: TimeRange,
  muted: MuteCheck = neverMuted,
): Transition {
  if (outcome.kind === 'error') return { next: prior, changes: [], evaluations: [] };
  const base = queryChanged(prior, outcome) ? freshState : withStreaksUpTo(prior, window);
  const steps = evaluateGroups({ rule, window, muted }, base, outcome);
  return {
    next: {
      status: overallStatus(steps, outcome, rule),
      groups: remember(steps, outcome, rule),
      ...(outcome.fingerprint !== undefined && { fingerprint: outcome.fingerprint }),
      evaluatedUntilMs: window.endMs,
      ...(prior.clockSetBack &&
        window.endMs < prior.clockSetBack.evaluatedUntilMs && { clockSetBack: prior.clockSetBack }),
    },
    changes: steps.flatMap((step) => step.change ?? []),
    evaluations: steps.map(toGroupEvaluation),
  };
}

export function groupKey(group: readonly GroupPart[]): string {
  return JSON.stringify(group.map(({ key, value }) => [key, value]));
}

function toGroupEvaluation({ state, value, change, suppressed }: Step): GroupEvaluation {
  const { group, status } = state;
  return { group, value, status, ...(change && { notified: change.reason }), ...(suppressed && { suppressed }) };
}

function queryChanged(prior: AlertState, outcome: Samples): boolean {
  return prior.fingerprint !== undefined && prior.fingerprint !== outcome.fingerprint;
}

/**
 * Windows in a row are contiguous windows (decisions A5): where some were skipped, or the schedule changed, a streak
 * starts again. A firing alert keeps firing.
 */
function withStreaksUpTo(prior: AlertState, { startMs }: TimeRange): AlertState {
  if (prior.evaluatedUntilMs === undefined || prior.evaluatedUntilMs === startMs) return prior;
  return { ...prior, groups: prior.groups.map((group) => ({ ...group, breaches: 0 })) };
}

function evaluateGroups(context: Context, base: AlertState, outcome: Samples): Step[] {
  const known = new Map(base.groups.map((state) => [groupKey(state.group), state]));
  const steps: Step[] = [];
  for (const sample of outcome.mayRepeat ? worstByGroup(context.rule, outcome.samples) : outcome.samples) {
    const key = groupKey(sample.group);
    const prior = known.get(key) ?? freshGroup(sample.group);
    known.delete(key);
    steps.push(
      sample.value === null
        ? evaluateMissing(context, prior, context.rule.missingData ?? 'noData')
        : evaluateValue(context, prior, sample.value),
    );
  }
  for (const prior of known.values()) {
    steps.push(evaluateMissing(context, prior, policyForAbsent(context.rule, prior, outcome)));
  }
  if (steps.length === 0) steps.push(...evaluateNothing(context, outcome));
  return steps;
}

/** Of the samples of a group one that breaks the rule, or else one that has a value. */
function worstByGroup(rule: Rule, samples: readonly Sample[]): readonly Sample[] {
  const badness = ({ value }: Sample) => (value === null ? 0 : breaks(rule, value) ? 2 : 1);
  const worst = new Map<string, Sample>();
  for (const sample of samples) {
    const key = groupKey(sample.group);
    const known = worst.get(key);
    if (!known || badness(sample) > badness(known)) worst.set(key, sample);
  }
  return [...worst.values()];
}

/** No row and no group known from before: the tile as a whole is evaluated, where its policy says what silence means. */
function evaluateNothing(context: Context, outcome: Samples): Step[] {
  const explicit = context.rule.missingData;
  if (outcome.grouped && explicit !== 'zero' && explicit !== 'alert') return [];
  return [evaluateMissing(context, freshGroup([]), explicit ?? defaultPolicy(outcome))];
}

/** What a group means that was known and has no row in this window. */
function policyForAbsent(rule: Rule, prior: GroupState, outcome: Samples): MissingDataPolicy {
  if (!hasPresentShape(prior, outcome)) return 'ok';
  if (outcome.truncated) return 'keep';
  if (outcome.grouped) return rule.missingData ?? 'ok';
  return rule.missingData ?? defaultPolicy(outcome);
}

function defaultPolicy(outcome: Samples): MissingDataPolicy {
  return outcome.missingIsZero ? 'zero' : 'noData';
}

/** False for a group of an earlier `groupBy`: it can never have a row again (U-116). */
function hasPresentShape(prior: GroupState, outcome: Samples): boolean {
  if (!outcome.grouped) return prior.group.length === 0;
  const present = outcome.samples[0]?.group;
  if (!present) return true;
  return prior.group.length === present.length && prior.group.every((part, at) => part.key === present[at]?.key);
}

function evaluateMissing(context: Context, prior: GroupState, policy: MissingDataPolicy): Step {
  switch (policy) {
    case 'zero':
      return evaluateValue(context, prior, 0);
    case 'alert':
      return breach(context, prior, null);
    case 'ok':
      return recover(prior, null);
    case 'keep':
      return { state: prior, value: null, isKept: true };
    case 'noData':
      return { state: { ...prior, status: 'INSUFFICIENT_DATA', breaches: 0 }, value: null };
    default:
      return assertNever(policy);
  }
}

function evaluateValue(context: Context, prior: GroupState, value: number): Step {
  const broken = isFiring(prior) ? staysBroken(context.rule, value) : breaks(context.rule, value);
  return broken ? breach(context, prior, value) : recover(prior, value);
}

function breach({ rule, window, muted }: Context, prior: GroupState, value: number | null): Step {
  const breaches = prior.breaches + 1;
  const { group, firingSinceMs } = prior;
  if (firingSinceMs === undefined && breaches < rule.consecutiveWindows) {
    return { state: { group, status: 'PENDING', breaches }, value };
  }
  const sinceMs = firingSinceMs ?? window.endMs;
  const reason = reasonToNotify(rule, prior, window);
  const suppressed = reason && muted(group, sinceMs);
  const notified = reason !== undefined && suppressed === undefined;
  const notifiedMs = notified ? window.endMs : prior.notifiedMs;
  return {
    state: {
      group,
      status: 'ALERT',
      breaches,
      firingSinceMs: sinceMs,
      ...(notifiedMs !== undefined && { notifiedMs }),
    },
    value,
    ...(notified && { change: { reason, group, value, firingSinceMs: sinceMs } }),
    ...(suppressed && { suppressed }),
  };
}

function reasonToNotify(rule: Rule, { notifiedMs }: GroupState, window: TimeRange): NotificationReason | undefined {
  if (notifiedMs === undefined) return 'firing';
  return rule.repeatMs !== undefined && window.endMs - notifiedMs >= rule.repeatMs ? 'repeat' : undefined;
}

function recover({ group, firingSinceMs, notifiedMs }: GroupState, value: number | null): Step {
  const state = freshGroup(group);
  if (firingSinceMs === undefined) return { state, value };
  // Only a silence suppresses the message about the start.
  if (notifiedMs === undefined) return { state, value, suppressed: 'silenced' };
  return { state, value, change: { reason: 'resolved', group, value, firingSinceMs } };
}

function freshGroup(group: readonly GroupPart[]): GroupState {
  return { group, status: 'OK', breaches: 0 };
}

function overallStatus(steps: readonly Step[], outcome: Samples, rule: Rule): AlertStatus {
  for (const status of ['ALERT', 'PENDING', 'INSUFFICIENT_DATA'] as const) {
    if (steps.some(({ state }) => state.status === status)) return status;
  }
  const silent = outcome.samples.length === 0 && outcome.grouped;
  return silent && (rule.missingData ?? defaultPolicy(outcome)) === 'noData' ? 'INSUFFICIENT_DATA' : 'OK';
}

/** A group that is plainly OK is forgotten, unless its silence would fire. */
function remember(steps: readonly Step[], outcome: Samples, rule: Rule): GroupState[] {
  const silenceFires = rule.missingData === 'alert' || (rule.missingData === 'zero' && breaks(rule, 0));
  const kept = steps
    .filter(
      ({ state, value, isKept }) =>
        state.status !== 'OK' || isFiring(state) || (outcome.grouped && silenceFires && (value !== null || isKept)),
    )
    .map(({ state }) => state);
  if (kept.length <= rememberedGroupsMax) return kept;
  return kept.toSorted((a, b) => Number(isFiring(b)) - Number(isFiring(a))).slice(0, rememberedGroupsMax);
}

function isFiring(state: GroupState): boolean {
  return state.firingSinceMs !== undefined;
}

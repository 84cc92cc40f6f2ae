import type { Recurrence, SilenceInput, SilenceRecord } from '../../../../src/contract/silence.ts';

import { clockText, dateText, instantOfWall } from '../../ui/instant-text.ts';

export type Day = Recurrence['days'][number];

export interface SilenceDraft {
  name: string;
  comment: string;
  kind: 'once' | 'weekly';
  /** As `datetime-local` has it: the clock of the pages. */
  startsAt: string;
  endsAt: string;
  days: Day[];
  from: string;
  to: string;
  timezone: string;
  alertIds: string[];
  tags: string[];
  /** `key=value`, or a value alone for any key. */
  groups: string[];
}

export function draftOfSilence(silence: SilenceRecord | undefined, localZone: string): SilenceDraft {
  const { recurrence, match } = silence ?? {};
  return {
    name: silence?.name ?? '',
    comment: silence?.comment ?? '',
    kind: recurrence ? 'weekly' : 'once',
    startsAt: localText(silence?.startsAt),
    endsAt: localText(silence?.endsAt),
    days: recurrence?.days ?? [],
    from: recurrence?.from ?? '22:00',
    to: recurrence?.to ?? '06:00',
    timezone: recurrence?.timezone ?? localZone,
    alertIds: match?.alertIds ?? [],
    tags: match?.tags ?? [],
    groups: (match?.groups ?? []).map(groupText),
  };
}

/**
 * `undefined` while the name or the time is missing. `stored` gives what a field can't hold as it is: seconds, and groups
 * with blanks around their values.
 */
export function silenceOfDraft(draft: SilenceDraft, stored?: SilenceRecord): SilenceInput | undefined {
  const { name, comment, kind, startsAt, endsAt, days, from, to, timezone } = draft;
  const isTimed = kind === 'weekly' ? days.length > 0 && from && to && timezone : endsAt;
  if (name.trim() === '' || !isTimed) return undefined;
  return {
    name,
    ...(comment ? { comment } : {}),
    match: {
      ...(draft.alertIds.length > 0 ? { alertIds: draft.alertIds } : {}),
      ...(draft.tags.length > 0 ? { tags: draft.tags } : {}),
      ...(draft.groups.length > 0 ? { groups: draft.groups.map((text) => groupMatch(text, stored)) } : {}),
    },
    ...(startsAt ? { startsAt: instantOf(startsAt, stored?.startsAt) } : {}),
    ...(endsAt ? { endsAt: instantOf(endsAt, stored?.endsAt) } : {}),
    ...(kind === 'weekly' ? { recurrence: { days, from, to, timezone } } : {}),
  };
}

type GroupMatch = { key?: string; value: string };

function groupText({ key, value }: GroupMatch): string {
  return `${key ?? ''}=${value}`;
}

function groupMatch(text: string, stored: SilenceRecord | undefined): GroupMatch {
  const known = stored?.match.groups?.find((group) => groupText(group) === text);
  if (known) return known;
  const at = text.indexOf('=');
  if (at < 0) return { value: text };
  return { ...(at > 0 ? { key: text.slice(0, at).trim() } : {}), value: text.slice(at + 1).trim() };
}

function instantOf(text: string, stored: string | undefined): string {
  return stored !== undefined && localText(stored) === text ? stored : new Date(instantOfWall(text)).toISOString();
}

function localText(instant: string | undefined): string {
  if (!instant) return '';
  const atMs = Date.parse(instant);
  return `${dateText(atMs)}T${clockText(atMs, false)}`;
}

import type { SilenceInput, SilenceRecord } from '../../contract/silence.ts';
import { parseInstant } from '../../kernel/instant.ts';
import { isActive } from './is-silenced.ts';
import type { Silence } from './silence-repository.ts';

type Identity = Pick<Silence, 'id' | 'createdBy' | 'createdAt' | 'updatedAt'>;

/** The whole silence of a checked body; one without a start begins at `nowMs`. */
export function toSilence(
  { id, createdBy, createdAt, updatedAt }: Identity,
  input: SilenceInput,
  nowMs: number,
): Silence {
  const { comment, recurrence } = input;
  return {
    id,
    name: input.name.trim(),
    ...(comment !== undefined && { comment }),
    match: knownMatches(input.match),
    startsAt: timestamp(input.startsAt) ?? new Date(nowMs).toISOString(),
    ...(input.endsAt !== undefined && { endsAt: timestamp(input.endsAt) ?? '' }),
    ...(recurrence && { recurrence: knownRecurrence(recurrence) }),
    createdBy,
    createdAt,
    updatedAt,
  };
}

export function presentSilence(tenantId: string, silence: Silence, nowMs: number): SilenceRecord {
  return { ...silence, teamId: tenantId, active: isActive(silence, nowMs) };
}

function knownMatches({ alertIds, tags, groups }: SilenceInput['match']): Silence['match'] {
  return {
    ...(alertIds && { alertIds }),
    ...(tags && { tags }),
    ...(groups && { groups: groups.map(({ key, value }) => ({ ...(key !== undefined && { key }), value })) }),
  };
}

function knownRecurrence({ days, from, to, timezone }: NonNullable<Silence['recurrence']>) {
  return { days, from, to, timezone };
}

function timestamp(text: string | undefined): string | undefined {
  const ms = text === undefined ? undefined : parseInstant(text);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

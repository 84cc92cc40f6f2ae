import { instantText } from '../../ui/instant-text.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Days as a form offers them; `never` is a choice that one has to take. */
export const expiryChoices = [
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'never', label: 'Never' },
] as const;

/** The moment that a choice means, or null for never. */
export function expiryOf(choice: string, nowMs: number): string | null {
  return choice === 'never' ? null : new Date(nowMs + Number(choice) * dayMs).toISOString();
}

/** A moment to the minute, or `otherwise` where there is none. */
export function momentText(moment: string | null, otherwise: string): string {
  return moment === null ? otherwise : instantText(Math.floor(Date.parse(moment) / minuteMs) * minuteMs);
}

export function hasExpired(expiresAt: string | null, nowMs: number): boolean {
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs;
}

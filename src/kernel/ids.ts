import { randomBytes, randomUUID } from 'node:crypto';

/** Identifiers and secrets as an argument, so that tests can name theirs. */
export interface Ids {
  /** 24 lower-case hex characters: teams, users, dashboards, tiles, alerts, sources, webhooks, connections. */
  hex24(): string;
  /** Random UUID v4: organizations, services, pipes, requests. */
  uuid(): string;
  /** Random secret of `bytes` bytes as lower-case hex (decisions K2: at least 20 bytes for a key). */
  secret(bytes: number): string;
}

export const randomIds: Ids = {
  hex24: () => timeOrderedHex24(Date.now()),
  uuid: () => randomUUID(),
  secret: (bytes) => randomBytes(bytes).toString('hex'),
};

/** Seconds first, then random: ids made later sort later, to the second. */
function timeOrderedHex24(nowMs: number): string {
  const seconds = Math.floor(nowMs / 1000)
    .toString(16)
    .padStart(8, '0');
  return seconds + randomBytes(8).toString('hex');
}

const hex24Pattern = /^[0-9a-f]{24}$/;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function isHex24(text: string): boolean {
  return hex24Pattern.test(text);
}

export function isUuid(text: string): boolean {
  return uuidPattern.test(text);
}

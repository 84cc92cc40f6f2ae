import type { Clock } from '../../kernel/clock.ts';
import type { Connection } from './connection-repository.ts';

/** The connection to the program's own telemetry store; its address is not disclosed. */
export function builtInConnection(id: string, clock: Clock): Connection {
  const now = new Date(clock.nowMs()).toISOString();
  return { id, name: 'Built-in store', host: '', username: '', builtIn: true, createdAt: now, updatedAt: now };
}

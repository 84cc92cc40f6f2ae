import type { Notification, OutgoingNotification } from '../../evaluator/ports.ts';
import type { Task } from '../../kernel/workers.ts';
import { type Composition, mentionsOf } from './message.ts';
import { type Payload, type Receiver, renderPayload } from './payload.ts';

export interface RenderOrder {
  receiver: Receiver;
  outgoing: OutgoingNotification;
  composition: Composition;
}

interface Timed {
  /** Time that the work itself took, without waiting for a thread. */
  elapsedMs: number;
}

export const renderPayloadTask: Task<RenderOrder, Payload & Timed> = {
  name: 'render payload',
  run({ receiver, outgoing, composition }) {
    const startedMs = performance.now();
    const payload = renderPayload(receiver, outgoing, composition);
    return { ...payload, elapsedMs: performance.now() - startedMs };
  },
};

/** For many messages of one firing: those for which there is no time left have no mentions. */
export const findMentionsTask: Task<
  { notifications: readonly Notification[]; withinMs: number },
  Timed & { mentions: (readonly string[])[] }
> = {
  name: 'find mentions',
  run({ notifications, withinMs }) {
    const startedMs = performance.now();
    const mentions = notifications.map((notification) =>
      performance.now() - startedMs > withinMs ? [] : mentionsOf(notification),
    );
    return { mentions, elapsedMs: performance.now() - startedMs };
  },
};

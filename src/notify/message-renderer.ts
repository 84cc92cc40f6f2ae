import { pagesUrlOf } from '../access/pages-url.ts';
import type { TenantDirectory } from '../access/tenants.ts';
import type { Notification, OutgoingNotification } from '../evaluator/ports.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import { Semaphore } from '../kernel/semaphore.ts';
import { TaskStoppedError, type Workers } from '../kernel/workers.ts';
import { type Composition, mentionsOf } from './render/message.ts';
import { type Payload, type Receiver, renderPayload } from './render/payload.ts';
import { findMentionsTask, renderPayloadTask } from './render/render-tasks.ts';
import { isTemplate } from './render/templates.ts';
import { RenderBudget } from './render-budget.ts';

export interface RendererDeps {
  workers: Workers;
  clock: Clock;
  logger: Logger;
  /** Start of every link (`SIGNALBOX_PUBLIC_URL`). */
  publicUrl: string;
  tenants: Pick<TenantDirectory, 'find'>;
}

/** A template stops itself after 200 ms where it can; after this long it is stopped from outside. */
const deadlineMs = 1_000;
const mentionsWithinMs = 1_000;
/** Renderings of one tenant that wait for a thread; the next wait here. */
const perTenantMax = 16;

/**
 * Makes requests of messages. What has templates is rendered in another thread, with a deadline and within a budget; a
 * message whose templates don't keep to them is sent in the default form.
 */
export class MessageRenderer {
  readonly #deps: RendererDeps;
  readonly #budget: RenderBudget;
  readonly #semaphores = new Map<string, Semaphore>();

  constructor(deps: RendererDeps) {
    this.#deps = deps;
    this.#budget = new RenderBudget(deps.clock);
  }

  async render(receiver: Receiver, outgoing: OutgoingNotification): Promise<Payload> {
    const { workers } = this.#deps;
    const { tenantId, notification } = outgoing;
    const composition = await this.#compositionOf(tenantId);
    const { alert } = notification;
    if (![receiver.body, alert.name, alert.message].some(isTemplate)) {
      return renderPayload(receiver, outgoing, composition);
    }
    const order = { receiver, outgoing, composition };
    const rendered = await this.#inTime(tenantId, alert.id, () =>
      workers.run(renderPayloadTask, order, { tenantId: `templates of ${tenantId}`, deadlineMs }),
    );
    if ('problem' in rendered)
      return renderPayload(receiver, outgoing, { ...composition, withoutTemplates: rendered.problem });
    const { elapsedMs: _elapsed, ...payload } = rendered;
    return payload;
  }

  /**
   * In the time zone of the tenant and with links to its pages; in UTC and with links to the root while the tenant can't
   * be read: a message is not lost over it.
   */
  async #compositionOf(tenantId: string): Promise<Composition> {
    const { tenants, publicUrl, logger } = this.#deps;
    try {
      const tenant = await tenants.find(tenantId);
      const { timezone } = tenant ?? {};
      return { pagesUrl: pagesUrlOf(publicUrl, tenant), ...(timezone !== undefined && { timezone }) };
    } catch (error) {
      logger.warn({ err: error }, 'the tenant of a message could not be read');
      return { pagesUrl: pagesUrlOf(publicUrl, undefined) };
    }
  }

  /** Ids or beginnings of names of webhooks, for each of the notifications of one alert. */
  async mentions(tenantId: string, notifications: readonly Notification[]): Promise<readonly (readonly string[])[]> {
    const [first] = notifications;
    if (!first) return [];
    if (!isTemplate(first.alert.message)) return notifications.map(mentionsOf);
    const found = await this.#inTime(tenantId, first.alert.id, () =>
      this.#deps.workers.run(
        findMentionsTask,
        { notifications, withinMs: mentionsWithinMs },
        { tenantId: `templates of ${tenantId}`, deadlineMs: mentionsWithinMs + deadlineMs },
      ),
    );
    return 'problem' in found ? notifications.map(() => []) : found.mentions;
  }

  async #inTime<T extends { elapsedMs: number }>(
    tenantId: string,
    alertId: string,
    work: () => Promise<T>,
  ): Promise<T | { problem: string }> {
    const semaphore = this.#semaphores.get(tenantId) ?? new Semaphore(perTenantMax);
    this.#semaphores.set(tenantId, semaphore);
    const done = await semaphore.run(() => this.#withinBudget(tenantId, alertId, work));
    if (semaphore.isIdle) this.#semaphores.delete(tenantId);
    return done;
  }

  async #withinBudget<T extends { elapsedMs: number }>(
    tenantId: string,
    alertId: string,
    work: () => Promise<T>,
  ): Promise<T | { problem: string }> {
    try {
      if (this.#budget.isSpent(tenantId, alertId))
        return { problem: 'templates have used up their time for this minute' };
      const done = await work();
      this.#budget.spend(tenantId, alertId, done.elapsedMs);
      return done;
    } catch (error) {
      if (error instanceof TaskStoppedError && error.reason === 'deadline') {
        this.#budget.spend(tenantId, alertId, deadlineMs);
        return { problem: 'it takes too long' };
      }
      if (error instanceof TaskStoppedError && error.reason === 'memory')
        return { problem: 'it takes too much memory' };
      this.#deps.logger.error({ alertId, err: error }, 'the templates of a message could not be rendered');
      return { problem: 'it could not be rendered now' };
    }
  }
}

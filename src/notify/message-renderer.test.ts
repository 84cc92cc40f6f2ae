import { describe, expect, it } from 'vitest';
import { messageOf } from '../../test/support/alert-fixtures.ts';
import type { Tenant } from '../access/tenants.ts';
import { webhookServices, webhookTemplates } from '../contract/webhook.ts';
import type { OutgoingNotification } from '../evaluator/ports.ts';
import { FakeClock } from '../kernel/fake-clock.ts';
import { inlineWorkers } from '../kernel/inline-workers.ts';
import { RecordingLogger } from '../kernel/recording-logger.ts';
import { TaskStoppedError, type Workers } from '../kernel/workers.ts';
import { MessageRenderer } from './message-renderer.ts';
import type { Receiver } from './render/payload.ts';

/** Counts tasks, the highest number of them at a time, and stops those that the test calls slow. */
class CountingWorkers implements Workers {
  tasks = 0;
  atOnceMax = 0;
  isSlow = false;
  #underWay = 0;

  async run<Input, Output>(
    ...[task, input, order]: Parameters<typeof inlineWorkers.run<Input, Output>>
  ): Promise<Output> {
    this.tasks += 1;
    this.#underWay += 1;
    this.atOnceMax = Math.max(this.atOnceMax, this.#underWay);
    await new Promise((resolve) => setImmediate(resolve));
    this.#underWay -= 1;
    if (this.isSlow) throw new TaskStoppedError('deadline');
    return inlineWorkers.run(task, input, order);
  }
}

function world(timezone?: string, tenant: Partial<Tenant> = {}) {
  const workers = new CountingWorkers();
  const clock = new FakeClock();
  const logger = new RecordingLogger();
  const renderer = new MessageRenderer({
    ...{ workers, clock, logger, publicUrl: 'https://obs.example.com/hx/' },
    tenants: {
      find: async (id) => ({
        id,
        kind: 'team',
        name: 'Team',
        telemetryDatabase: 'otel',
        ...(timezone && { timezone }),
        ...tenant,
      }),
    },
  });
  return { workers, clock, renderer };
}

function firing(name?: string, id = 'a'): OutgoingNotification {
  const outgoing = messageOf('tenant');
  const { notification } = outgoing;
  const alert = { ...notification.alert, id, ...(name !== undefined && { name }) };
  return { ...outgoing, notification: { ...notification, alert } };
}

const receiver = { service: 'generic', body: '{"t":{{title}}}' } as const;

describe('times', () => {
  const template = {
    service: 'generic',
    body: '{"zone":{{timezone}},"from":{{startTimeText}},"iso":{{startTimeIso}}}',
  } as const;

  it.each([
    [undefined, 'UTC', 0],
    ['Asia/Kathmandu', 'Asia/Kathmandu', 345],
  ])('are written in the zone of the team (%s), beside ISO instants', async (timezone, zone, minutesAhead) => {
    const { renderer } = world(timezone);
    const outgoing = firing();
    const { startMs } = outgoing.notification.window;
    const written = new Date(startMs + minutesAhead * 60_000).toLocaleString('en-US', {
      ...{ timeZone: 'UTC', month: 'short', day: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
    const text = written.replace(', ', ' ').replaceAll('\u202f', ' ');
    expect(JSON.parse((await renderer.render({ service: 'generic' }, outgoing)).body).body).toContain(
      `Time Range (${zone}): [${text} - `,
    );
    expect(JSON.parse((await renderer.render(template, outgoing)).body)).toEqual({
      ...{ zone, from: text, iso: new Date(startMs).toISOString() },
    });
  });
});

describe('links', () => {
  const service = { id: 's', kind: 'service', organizationId: 'o' } as const;
  const outgoing = firing();
  const alert = { ...outgoing.notification.alert, message: 'see {{link}}' };
  const linking = { ...outgoing, notification: { ...outgoing.notification, alert } };

  it.each([
    ['a team', {}, 'https://obs.example.com/hx/dashboards/'],
    ['a service', service, 'https://obs.example.com/hx/organizations/o/services/s/dashboards/'],
  ])('lead to the pages of %s, in messages of every kind and in templates', async (_tenant, tenant, start) => {
    const { renderer } = world(undefined, tenant);
    const receivers: Receiver[] = [
      ...webhookServices.map((each) => ({ service: each })),
      ...webhookTemplates.map((template) => ({ service: 'generic' as const, template })),
      { service: 'generic', body: '{"l":{{link}}}' },
    ];
    for (const receiver of receivers) {
      const { body } = await renderer.render(receiver, linking);
      const links = [...body.matchAll(/https:\/\/obs[^"\s|)>\\]*/g)].map(([link]) => link);
      expect(links.length, JSON.stringify(receiver)).toBeGreaterThan(0);
      for (const link of links) expect(link, JSON.stringify(receiver)).toContain(start);
    }
  });

  it('lead to the root where the tenant can’t be read', async () => {
    const { renderer } = world(undefined, {
      get id(): string {
        throw new Error('away');
      },
    });
    const { body } = await renderer.render({ service: 'generic' }, firing());
    expect(JSON.parse(body).link).toMatch(/^https:\/\/obs\.example\.com\/hx\/dashboards\//);
  });
});

describe('templates are rendered in another thread', () => {
  it('and what has none is not', async () => {
    const { workers, renderer } = world();
    await renderer.render({ service: 'slack' }, firing('no template'));
    expect(workers.tasks).toBe(0);
    await renderer.render({ service: 'slack' }, firing('{{value}}'));
    await renderer.render(receiver, firing());
    expect(workers.tasks).toBe(2);
  });

  it('one that takes too long is not waited for: the default form is sent, and the log says why', async () => {
    const { workers, renderer } = world();
    workers.isSlow = true;
    const { body, problems } = await renderer.render(receiver, firing('x {{value}}'));
    expect(JSON.parse(body)).toMatchObject({ title: '🚨 x {{value}}', value: 7 });
    expect(problems).toEqual([
      'The alert’s name is not a usable template (it takes too long); it was sent unchanged.',
      'The webhook’s body is not a usable template (it takes too long); the default body was sent.',
    ]);
  });

  it('of one firing with 300 groups a few are stopped, and the rest is not tried; other alerts continue', async () => {
    const { workers, clock, renderer } = world();
    workers.isSlow = true;
    const payloads = await Promise.all(Array.from({ length: 300 }, () => renderer.render(receiver, firing())));
    expect(payloads.every(({ problems }) => problems.length === 1)).toBe(true);
    expect(workers.tasks).toBeLessThanOrEqual(18);
    expect(workers.atOnceMax).toBeLessThanOrEqual(16);
    const tried = workers.tasks;
    workers.isSlow = false;
    expect((await renderer.render(receiver, firing(undefined, 'other'))).problems).toHaveLength(tried < 10 ? 0 : 1);
    await clock.advance(60_000);
    expect((await renderer.render(receiver, firing())).problems).toEqual([]);
  });

  it('a template that takes too long has no mentions', async () => {
    const { workers, renderer } = world();
    const { notification } = firing();
    const reported = { ...notification, alert: { ...notification.alert, message: '@webhook-{{value}}' } };
    expect(await renderer.mentions('tenant', [reported])).toEqual([['7']]);
    workers.isSlow = true;
    expect(await renderer.mentions('tenant', [reported])).toEqual([[]]);
  });
});

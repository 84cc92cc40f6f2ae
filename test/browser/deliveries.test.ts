import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, holdWidth, logIn, visit } from '../support/browser.ts';
import { create, createEmptyCounts, firingAlert } from '../support/firing-alert.ts';
import { ScriptedReceiver } from '../support/scripted-receiver.ts';
import { acme, type RunningProgram, startProgram } from '../support/start-program.ts';

const [ada] = acme.teams[0]?.users ?? [];

describeInBrowser('what became of a notification', () => {
  const receiver = new ScriptedReceiver();
  let program: RunningProgram;
  let url = '';

  beforeAll(async () => {
    url = await receiver.start();
    const env = {
      SIGNALBOX_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
      SIGNALBOX_ALERT_DELAY_MS: '0',
      SIGNALBOX_WEBHOOK_RETRY_MS: '500',
    };
    program = await startProgram({ env });
  });

  afterAll(async () => {
    await program?.stop();
    await receiver.stop();
  });

  it('is read from the delivery log: failing while one of two receivers rejects it, then delivered; only then it can be replayed', async () => {
    receiver.replyTo = ({ url: path }) => (path.endsWith('/ops') ? { status: 503 } : undefined);
    const dashboard = await createEmptyCounts(program);
    const quiet = await createEmptyCounts(program);
    await program.call('PUT', `/api/v2/dashboards/${quiet.id}`, { tags: ['maintenance'] });
    const channelTo = async (name: string) => {
      const webhook = await create(program, '/webhooks', { name, service: 'generic', url: `${url}/${name}` });
      return { type: 'webhook', webhookId: webhook.id };
    };
    const channels = [await channelTo('ops'), await channelTo('chat')];
    const firesAtMs = Date.now() + 3_000;
    const ruleOn = ({ id, tiles }: typeof dashboard) => {
      const rule = firingAlert({ dashboardId: id, tileId: tiles[0]?.id, webhookId: '', firesAtMs });
      return { ...rule, channel: undefined };
    };
    const hour = { startsAt: new Date().toISOString(), endsAt: new Date(Date.now() + 3_600_000).toISOString() };
    await create(program, '/silences', { name: 'Upgrade', match: { tags: ['maintenance'] }, ...hour });
    await create(program, '/alerts', { ...ruleOn(quiet), name: 'Silenced', channels: channels.slice(1) });
    const alert = await create(program, '/alerts', { ...ruleOn(dashboard), name: 'Orders stopped', channels });
    const triesOf = (name: string) => receiver.received.filter(({ url: path }) => path.endsWith(`/${name}`)).length;
    await expect.poll(() => triesOf('ops')).toBeGreaterThan(1);
    await expect.poll(() => triesOf('chat')).toBe(1);
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/alerts');
    const rowOf = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await rowOf('Orders stopped')
      .getByText(/^Notification to ops failing after \d+ attempts?: The receiver answered 503\.$/)
      .waitFor();
    await rowOf('Silenced').getByText('Notification suppressed: silenced').waitFor();
    await page.goto(`/alerts/${alert.id}`);
    await page.getByText(/^Notification to ops failing after/).waitFor();
    await page
      .getByText(/Notification failing, will be retried after \d+ attempts?: The receiver answered 503\./)
      .waitFor();
    await page
      .getByText(/^Failing · next attempt .* · 503 · The receiver answered 503\.$/)
      .first()
      .waitFor();
    // The message to the other webhook is delivered, so it can be sent again.
    const replays = page.getByRole('button', { name: /^Replay/ });
    await expect.poll(() => replays.count()).toBe(1);
    receiver.replyTo = () => undefined;
    await page.getByRole('status').getByText('Firing').waitFor();
    await page.getByText('Notification delivered').first().waitFor();
    await expect.poll(() => replays.count()).toBeGreaterThan(1);
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  it('a telephone acknowledges within three taps; people see who works on it, and what to do; the rest is done in bulk', async () => {
    const dashboard = await createEmptyCounts(program, 3);
    const webhook = await create(program, '/webhooks', { name: 'pager', service: 'generic', url: `${url}/pager` });
    const firesAtMs = Date.now() + 3_000;
    const written = { message: 'The queue is stuck', note: 'See the [runbook](https://runbooks.example/queue).' };
    for (const [index, tile] of dashboard.tiles.entries()) {
      const rule = firingAlert({ dashboardId: dashboard.id, tileId: tile.id, webhookId: webhook.id, firesAtMs });
      await create(program, '/alerts', { ...rule, ...written, name: `Queue ${index}` });
    }
    const firing = async () => {
      const { json } = await program.call('GET', '/api/v2/alerts');
      const { data } = json as { data: { name: string; state: string; firingSince?: string }[] };
      const found = data.filter(({ name, state }) => name.startsWith('Queue') && state === 'ALERT');
      return found.map(({ firingSince }) => Date.parse(firingSince ?? ''));
    };
    await expect.poll(firing).toEqual([firesAtMs, firesAtMs, firesAtMs]);
    const { page } = await visit(program.addresses.web);
    await page.setViewportSize({ width: 390, height: 844 });
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/dashboards');
    let taps = 0;
    const tap = async (role: 'button' | 'link', name: string | RegExp): Promise<void> => {
      taps++;
      await page.getByRole(role, { name }).click();
    };
    await tap('button', 'Navigation');
    await tap('link', /^Alerts \d+ firing$/);
    await tap('button', 'Acknowledge Queue 1');
    expect(taps).toBeLessThanOrEqual(3);
    const table = page.getByRole('table', { name: 'Alerts' });
    const rowOf = (name: string) =>
      table.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await rowOf('Queue 1').getByText(`Acknowledged by ${ada?.email}`).waitFor();
    await holdWidth(page, 'alerts on a telephone');
    // What has an owner goes behind what has none.
    const order = async () => (await table.getByRole('link', { name: /^Queue \d$/ }).allTextContents()).join();
    await expect.poll(order).toMatch(/^Queue [02],Queue [02],Queue 1$/);
    for (const name of ['Queue 0', 'Queue 2']) await page.getByRole('checkbox', { name: `Choose ${name}` }).check();
    await page.getByRole('button', { name: 'Acknowledge 2', exact: true }).click();
    await page.getByText('2 alerts acknowledged.').waitFor();
    for (const name of ['Queue 0', 'Queue 2']) await rowOf(name).getByText('Acknowledged by').waitFor();
    for (const index of [0, 1, 2]) await page.getByRole('checkbox', { name: `Choose Queue ${index}` }).check();
    expect(await page.getByRole('button', { name: 'Acknowledge', exact: true }).isDisabled()).toBe(true);
    await page.getByText('None of them fires without an owner.').waitFor();
    await page.getByRole('button', { name: 'Silence 3', exact: true }).click();
    await page.getByRole('menuitem', { name: '4 hours' }).click();
    await rowOf('Queue 0').getByText('silenced until').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await rowOf('Queue 0').getByRole('link', { name: 'Queue 0', exact: true }).click();
    const advice = page.getByRole('region', { name: 'What to do' });
    await advice.getByText('The queue is stuck').waitFor();
    expect(await advice.getByRole('link', { name: 'runbook' }).getAttribute('href')).toBe(
      'https://runbooks.example/queue',
    );
    await holdWidth(page, 'an alert on a telephone');
  });

  it('the editor draws what is watched before there is a threshold, and says what is missing', async () => {
    const { id, tiles } = await createEmptyCounts(program);
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto(`/alerts/new?dashboardId=${id}&tileId=${tiles[0]?.id}`);
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByRole('img').first().waitFor();
    await page.getByText('Still to choose: a threshold, a channel.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('textbox', { name: /^Threshold/ }).fill('5');
    await page.getByText('Still to choose: a channel.').waitFor();
    await preview.getByText('would not have fired').waitFor();
  });
});

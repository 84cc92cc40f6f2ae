import { afterAll, beforeAll, expect, it } from 'vitest';
import { accessibilityViolations, describeInBrowser, logIn, visit } from '../support/browser.ts';
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
});

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

  it('is read from the delivery log: failing while the receiver rejects it, then delivered; only then it can be replayed', async () => {
    receiver.otherwise = { status: 503 };
    const dashboard = await createEmptyCounts(program);
    const webhook = await create(program, '/webhooks', { name: 'ops', service: 'generic', url });
    const rule = firingAlert({
      dashboardId: dashboard.id,
      tileId: dashboard.tiles[0]?.id,
      webhookId: webhook.id,
      firesAtMs: Date.now() + 2_000,
    });
    const alert = await create(program, '/alerts', { ...rule, name: 'Orders stopped' });
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
    const { page } = await visit(program.addresses.web);
    await logIn(page, { email: ada?.email ?? '', password: ada?.password ?? '' });
    await page.goto('/alerts');
    await page.getByText('Notification: failing. The receiver answered 503.').waitFor();
    await page.goto(`/alerts/${alert.id}`);
    await page
      .getByText(/Notification failing, will be retried after \d+ attempts?: The receiver answered 503\./)
      .waitFor();
    await page
      .getByText(/^Failing · next attempt .* · 503 · The receiver answered 503\.$/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: /^Replay/ }).count()).toBe(0);
    receiver.otherwise = { status: 200 };
    await page.getByText('Notification delivered').waitFor();
    await page
      .getByRole('button', { name: /^Replay/ })
      .first()
      .waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
});

import type { TargetGuard } from '../../resources/webhooks/target-guard-port.ts';
import { type Finding, findingsOf } from './finding.ts';

export interface WebhookAddress {
  tenant: string;
  name: string;
  url: string;
}

export interface WebhookGuardFacts {
  allowedHosts: readonly string[];
  webhooks: readonly WebhookAddress[];
  guard: TargetGuard;
}

const shownMax = 5;
/** Ranges that hold every private address. */
const everything = /^(0\.0\.0\.0|::)\/0$|^\*\.?$/;

/** Whether the guard against requests into private networks protects anything, and lets the stored webhooks through. */
export async function checkWebhookGuard({ allowedHosts, webhooks, guard }: WebhookGuardFacts): Promise<Finding[]> {
  const finding = findingsOf('webhook guard');
  const open = allowedHosts.find((host) => everything.test(host));
  if (open !== undefined) {
    return [
      finding.warning(
        `SIGNALBOX_WEBHOOK_ALLOWED_HOSTS contains ${open}: every user can call every host of the private network.`,
        'Name only the hosts that receive webhooks.',
      ),
    ];
  }
  const results = await Promise.all(
    webhooks.map(async (webhook) => ({ webhook, result: await guard.check(webhook.url) })),
  );
  const blocked = results.filter(({ result }) => !result.ok).map(({ webhook }) => webhook);
  if (blocked.length === 0) {
    return [
      finding.ok(
        `All webhooks may be called (${webhooks.length}); hosts of private networks that may: ${allowedHosts.length}.`,
      ),
    ];
  }
  const names = blocked.slice(0, shownMax).map(({ tenant, name }) => `${JSON.stringify(name)} of ${tenant}`);
  return [
    finding.warning(
      `Webhooks lead to addresses that may not be called (${blocked.length}): ${names.join(', ')}${blocked.length > shownMax ? ', …' : ''}.`,
      'Add their hosts to SIGNALBOX_WEBHOOK_ALLOWED_HOSTS, or change the webhooks.',
    ),
  ];
}

import type { WebhookInput, WebhookRecord } from '../../../../src/contract/webhook.ts';

export interface Pair {
  /** Only for the list on the screen. */
  id: number;
  name: string;
  value: string;
}

export interface WebhookDraft {
  name: string;
  service: WebhookInput['service'];
  url: string;
  description: string;
  template: WebhookInput['template'] | null;
  body: string;
  routingKey: string;
  signingSecret: string;
  headers: Pair[];
  queryParams: Pair[];
}

/** Secrets are never returned: their fields begin empty, and empty ones leave what is stored. */
export function draftOfWebhook(webhook?: WebhookRecord): WebhookDraft {
  return {
    name: webhook?.name ?? '',
    service: webhook?.service ?? 'slack',
    url: webhook?.url ?? '',
    description: webhook?.description ?? '',
    template: webhook?.template ?? null,
    body: webhook?.body ?? '',
    routingKey: '',
    signingSecret: '',
    headers: [],
    queryParams: [],
  };
}

/** Only what the service takes: a slack webhook has no headers, a built-in template no body. */
export function webhookOfDraft(draft: WebhookDraft): WebhookInput {
  const { name, service, url, template } = draft;
  const isGeneric = service === 'generic';
  return {
    name,
    service,
    url,
    ...text('description', draft.description),
    ...(isGeneric && template ? { template } : {}),
    ...(service === 'slack' || (isGeneric && template) ? {} : text('body', draft.body)),
    ...(isGeneric && template === 'pagerduty' ? text('routingKey', draft.routingKey) : {}),
    ...(service === 'slack'
      ? {}
      : {
          ...text('signingSecret', draft.signingSecret),
          ...pairs('headers', draft.headers),
          ...pairs('queryParams', draft.queryParams),
        }),
  };
}

function text(key: keyof WebhookInput, value: string): Partial<WebhookInput> {
  return value === '' ? {} : { [key]: value };
}

function pairs(key: 'headers' | 'queryParams', rows: readonly Pair[]): Partial<WebhookInput> {
  const named = rows.filter(({ name }) => name !== '');
  return named.length === 0 ? {} : { [key]: Object.fromEntries(named.map(({ name, value }) => [name, value])) };
}

import { describe, expect, it } from 'vitest';
import { draftOfWebhook, webhookOfDraft } from './webhook-draft.ts';

const draft = {
  ...draftOfWebhook(),
  name: 'ops',
  url: 'https://example.org/hook',
  body: '{{title}}',
  routingKey: 'k',
  headers: [
    { id: 1, name: 'x-key', value: 'v' },
    { id: 2, name: '', value: '' },
  ],
};

describe('the draft of a webhook', () => {
  it('sends to slack neither headers nor a body', () => {
    expect(webhookOfDraft(draft)).toEqual({ name: 'ops', service: 'slack', url: draft.url });
  });

  it('sends headers by name, without empty rows, and leaves out secrets that were not entered', () => {
    expect(webhookOfDraft({ ...draft, service: 'generic' })).toEqual({
      name: 'ops',
      service: 'generic',
      url: draft.url,
      body: '{{title}}',
      headers: { 'x-key': 'v' },
    });
  });

  it('sends the routing key with the template of PagerDuty, and then no body', () => {
    const input = webhookOfDraft({ ...draft, service: 'generic', template: 'pagerduty' });
    expect(input).toMatchObject({ template: 'pagerduty', routingKey: 'k' });
    expect(input).not.toHaveProperty('body');
  });
});

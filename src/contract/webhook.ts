import { type Static, Type } from 'typebox';
import { TimestampSchema } from './identifiers.ts';

export const webhookServices = ['slack', 'generic', 'incidentio'] as const;
/** Bodies that are built in; for service generic. */
export const webhookTemplates = ['pagerduty', 'msteams'] as const;
/** Every limit on what a client may send about webhooks. */
export const webhookLimits = {
  nameLength: 1024,
  urlLength: 2048,
  descriptionLength: 2048,
  bodyLength: 16_384,
  pairs: 100,
  headerNameLength: 256,
  queryParamNameLength: 1024,
  valueLength: 4096,
  signingSecretLength: 1024,
  routingKeyLength: 256,
} as const;

const pairs = (description: string) =>
  Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: webhookLimits.valueLength }), {
      maxProperties: webhookLimits.pairs,
      description,
    }),
  );

/** Body of create and of replace. Which fields a service takes is checked by `resources/webhooks`. */
export const WebhookInputSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: webhookLimits.nameLength }),
    service: Type.Enum(webhookServices),
    url: Type.String({ minLength: 1, maxLength: webhookLimits.urlLength }),
    description: Type.Optional(Type.String({ maxLength: webhookLimits.descriptionLength })),
    body: Type.Optional(Type.String({ maxLength: webhookLimits.bodyLength, description: 'Template; not for slack.' })),
    template: Type.Optional(
      Type.Enum(webhookTemplates, {
        description:
          'A built-in body instead of `body`, for service generic: PagerDuty Events v2, or an Adaptive Card for Microsoft Teams.',
      }),
    ),
    headers: pairs('Sent with each request; never returned; not for slack.'),
    queryParams: pairs('Added to the URL of each request; never returned; not for slack.'),
    signingSecret: Type.Optional(
      Type.String({
        maxLength: webhookLimits.signingSecretLength,
        description: 'Key of the HMAC-SHA-256 signature; never returned; empty removes it; not for slack.',
      }),
    ),
    routingKey: Type.Optional(
      Type.String({
        maxLength: webhookLimits.routingKeyLength,
        description: 'PagerDuty integration key, for template pagerduty; never returned.',
      }),
    ),
  },
  { title: 'WebhookInput' },
);
export type WebhookInput = Static<typeof WebhookInputSchema>;

/** A webhook as returned: no secret, and `body` of generic webhooks only. */
export const WebhookSchema = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    service: Type.Enum(webhookServices),
    url: Type.String(),
    description: Type.Optional(Type.String()),
    body: Type.Optional(Type.String()),
    template: Type.Optional(Type.Enum(webhookTemplates)),
    createdAt: TimestampSchema,
    updatedAt: TimestampSchema,
  },
  { title: 'Webhook' },
);
export type WebhookRecord = Static<typeof WebhookSchema>;

/** How a test message fared. */
export const WebhookTestSchema = Type.Object(
  {
    delivered: Type.Boolean({ description: 'True if the receiver answered with a status from 200 to 299.' }),
    status: Type.Optional(Type.Integer({ description: 'HTTP status, if there was a response.' })),
    error: Type.Optional(Type.String({ description: 'Why it was not delivered.' })),
    notice: Type.Optional(
      Type.String({ description: 'What is wrong with a template; the default text was sent instead.' }),
    ),
  },
  { title: 'WebhookTest' },
);

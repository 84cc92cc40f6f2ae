import { type WebhookInput, webhookLimits } from '../../contract/webhook.ts';
import type { WebhookSecrets } from './webhook-repository.ts';

const headerNamePattern = /^[!#$%&'*+.^_`|~A-Za-z-][!#$%&'*+.^_`|~0-9A-Za-z-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacter = /[\u0000-\u001f\u007f]/;
const beyondLatin1 = /[\u0100-\uffff]/;
/** Set by the sender of the request; another value would break its framing or redirect it. */
const headersOfTheSender = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * What is wrong with a webhook beyond its schema, as `path: reason`; `undefined` if nothing is. The
 * `TargetGuard` checks whether the URL may be called (contract §6).
 */
export function webhookProblem(input: WebhookInput): string | undefined {
  if (input.name.trim() === '') return 'name: must not be blank.';
  return (
    urlProblem(input) ??
    slackProblem(input) ??
    templateProblem(input) ??
    headersProblem(input.headers) ??
    queryParamsProblem(input.queryParams)
  );
}

function urlProblem({ url }: WebhookInput): string | undefined {
  if (!URL.canParse(url)) return 'url: must be a complete URL such as https://example.org/hook.';
  const { protocol, username, password } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'url: must start with https:// or http://.';
  // The URL is visible to all readers; a secret belongs in a sealed field.
  return username || password ? 'url: must not contain a user name or password; send them in a header.' : undefined;
}

/**
 * Slack webhooks go to slack.com, unless the operator listed the host: many chats take Slack's payload (U-48). For a
 * URL that `webhookProblem` let pass.
 */
export function slackHostProblem({ url, service }: WebhookInput, isListedHost: boolean): string | undefined {
  if (service !== 'slack' || isListedHost || new URL(url).hostname.endsWith('.slack.com')) return undefined;
  return 'url: a slack webhook must point to a host below slack.com; use service "generic" for other receivers.';
}

function slackProblem(input: WebhookInput): string | undefined {
  if (input.service !== 'slack') return undefined;
  const surplus = (['headers', 'queryParams', 'body', 'template', 'signingSecret'] as const).find((key) =>
    hasContent(input[key]),
  );
  return surplus && `${surplus}: a slack webhook takes no ${surplus}.`;
}

function templateProblem({ service, template, body, routingKey }: WebhookInput): string | undefined {
  if (routingKey && template !== 'pagerduty') return 'routingKey: belongs to template pagerduty.';
  if (template === undefined) return undefined;
  if (service !== 'generic') return 'template: built-in bodies are for service generic.';
  return body ? 'body: send either a template or a custom body.' : undefined;
}

/** The receiver would reject a page without its key. `secrets` are all that the webhook will have. */
export function routingKeyProblem({ template }: WebhookInput, secrets: WebhookSecrets): string | undefined {
  if (template !== 'pagerduty' || secrets.routingKey) return undefined;
  return 'routingKey: is required for template pagerduty: the integration key of the PagerDuty service.';
}

function hasContent(value: string | Record<string, string> | undefined): boolean {
  return value !== undefined && Object.keys(value).length > 0;
}

function headersProblem(headers: WebhookInput['headers']): string | undefined {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.length > webhookLimits.headerNameLength) {
      return `headers: a name is longer than ${webhookLimits.headerNameLength} characters.`;
    }
    if (!headerNamePattern.test(name)) {
      return `headers: ${JSON.stringify(name)} is not a header name: letters, digits and -_.! and the like, not starting with a digit.`;
    }
    if (headersOfTheSender.has(name.toLowerCase())) return `headers.${name}: is set by the sender itself.`;
    if (controlCharacter.test(value)) return `headers.${name}: the value holds a control character.`;
    if (beyondLatin1.test(value)) return `headers.${name}: the value holds a character that a header cannot carry.`;
  }
  return undefined;
}

function queryParamsProblem(queryParams: WebhookInput['queryParams']): string | undefined {
  for (const [name, value] of Object.entries(queryParams ?? {})) {
    if (name === '') return 'queryParams: a name is empty.';
    if (name.length > webhookLimits.queryParamNameLength) {
      return `queryParams: a name is longer than ${webhookLimits.queryParamNameLength} characters.`;
    }
    if (controlCharacter.test(name)) return `queryParams: ${JSON.stringify(name)} holds a control character.`;
    if (controlCharacter.test(value)) return `queryParams.${name}: the value holds a control character.`;
  }
  return undefined;
}

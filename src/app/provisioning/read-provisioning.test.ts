import { describe, expect, it } from 'vitest';
import { ProvisioningError } from './provisioning-problem.ts';
import { readProvisioning, readProvisioningFile } from './read-provisioning.ts';

const read = (text: string, env: Record<string, string> = {}) =>
  readProvisioning('teams.yaml', text, (name) => env[name]);

const sentenceOf = (text: string, env: Record<string, string> = {}): string => {
  try {
    read(text, env);
  } catch (error) {
    if (error instanceof ProvisioningError) return error.message;
    throw error;
  }
  return 'no error';
};

const key = '0123456789abcdef0123456789abcdef01234567';
const id = '6f1c2a5e-0d0b-4f6e-9d0e-3a1b2c4d5e6f';

describe('a right file', () => {
  it('is YAML or JSON, also with tabs', () => {
    const json = JSON.stringify({ teams: [{ name: 'Acme', ingestionKeys: [{ name: 'default', key }] }] }, null, '\t');
    const yaml = `teams:\n  - name: Acme\n    ingestionKeys: [{ name: default, key: "${key}" }]\n`;
    expect(read(json).provisioning).toEqual(read(yaml).provisioning);
  });

  it('may be empty', () => {
    expect(read('').provisioning).toEqual({});
    expect(read('# nothing yet\n').provisioning).toEqual({});
  });

  it('takes secrets from the environment: {env: NAME}', () => {
    const { provisioning } = read('teams: [{ name: Acme, ingestionKeys: [{ name: a, key: { env: INGEST } }] }]', {
      INGEST: key,
    });
    expect(provisioning.teams?.[0]?.ingestionKeys?.[0]?.key).toBe(key);
  });

  it('keeps dashboards unchanged', () => {
    const { provisioning } = read('teams: [{ name: Acme, dashboards: [{ name: a, tags: { env: X } }] }]');
    expect(provisioning.teams?.[0]?.dashboards).toEqual([{ name: 'a', tags: { env: 'X' } }]);
  });
});

describe('interface: a bad file names the line or path', () => {
  it.each([
    ['a file that is not YAML', 'teams:\n  - name: "Acme\n', /line [23]/],
    ['the same key twice', 'teams: []\nteams: []\n', /line 2/],
    ['a list where a map belongs', '- teams\n', /line 1, at the top: must be an object/],
    [
      'a misspelt setting',
      'teams:\n  - name: Acme\n    ingestKeys: []\n',
      /line 3, teams\.0\.ingestKeys: is not a known/,
    ],
    ['a missing name', 'teams:\n  - users: []\n', /line 2, teams\.0\.name: is required/],
    ['a blank name', 'teams:\n  - name: "  "\n', /line 2, teams\.0\.name: must not be blank/],
    [
      'a bad email',
      'teams:\n  - name: A\n    users:\n      - email: ada\n',
      /line 4, teams\.0\.users\.0\.email: must be an em/,
    ],
    [
      'a short password',
      'teams: [{ name: A, users: [{ email: a@b, password: short }] }]',
      /password: must have at least 8/,
    ],
    [
      'a key with a space',
      'teams: [{ name: A, ingestionKeys: [{ name: a, key: "a b c d e f" }] }]',
      /key: must be visible/,
    ],
    ['a bad id', `organizations:\n  - id: acme\n    name: A\n`, /line 2, organizations\.0\.id: must be a UUID/],
    [
      'a bad role',
      `organizations: [{ id: ${id}, name: A, apiKeys: [{ name: a, keyId: k, keySecret: secretsecret, role: x }] }]`,
      /role: must be one of admin, read/,
    ],
    [
      'a bad webhook service',
      'teams: [{ name: A, webhooks: [{ name: a, service: pager, url: "http://h" }] }]',
      /webhooks\.0\.service: must be one of slack/,
    ],
    ['an alias without anchor', 'teams: *none\n', /alias/],
  ])('%s', (_, text, expected) => expect(sentenceOf(text)).toMatch(expected));

  it('a number where text belongs, without the value', () => {
    const text =
      'teams:\n  - name: Acme\n    users:\n      - email: a@b\n        apiKeys:\n          - name: ci\n            key: 12345678\n';
    expect(sentenceOf(text)).toBe(
      'The provisioning file teams.yaml is wrong in line 7, teams.0.users.0.apiKeys.0.key: must be text (put numbers in quotes).',
    );
  });

  it('a variable that is not set', () => {
    const text = 'teams:\n  - name: A\n    ingestionKeys:\n      - name: a\n        key: { env: INGEST }\n';
    expect(sentenceOf(text)).toMatch(/line 5, teams\.0\.ingestionKeys\.0\.key: the environment variable INGEST/);
    expect(sentenceOf(text, { INGEST: '' })).toMatch(/INGEST/);
  });
});

it('a file that cannot be read names the variable', async () => {
  await expect(readProvisioningFile('/nowhere/teams.yaml', () => undefined)).rejects.toThrow(
    /^SIGNALBOX_PROVISIONING must name a readable file/,
  );
});

describe('entries that would be matched with one object contradict each other', () => {
  const user = (email: string, secret: string): string =>
    `{ email: ${email}, apiKeys: [{ name: a, key: "${secret}" }] }`;

  it.each([
    ['teams', 'teams: [{ name: A }, { name: A }]', 'teams.1.name: the same team is used at teams.0.name'],
    [
      'emails in any case',
      'teams: [{ name: A, users: [{ email: a@b }] }, { name: B, users: [{ email: A@B }] }]',
      'teams.1.users.0.email',
    ],
    [
      'a key for two users',
      `teams: [{ name: A, users: [${user('a@b', key)}, ${user('c@d', key)}] }]`,
      'teams.0.users.1.apiKeys.0.key',
    ],
    [
      'decisions K1: one text as personal and as ingestion key',
      `teams: [{ name: A, users: [${user('a@b', key)}], ingestionKeys: [{ name: a, key: "${key}" }] }]`,
      'teams.0.ingestionKeys.0.key',
    ],
    [
      'webhooks',
      'teams: [{ name: A, webhooks: [{ name: a, service: generic, url: "http://h" }, { name: " a", service: generic, url: "http://i" }] }]',
      'teams.0.webhooks.1.name',
    ],
    ['dashboards', 'teams: [{ name: A, dashboards: [{ name: a }, { name: a }] }]', 'teams.0.dashboards.1.name'],
    ['sources', 'teams: [{ name: A, sources: [{ name: a }, { name: a }] }]', 'teams.0.sources.1.name'],
    [
      'organizations',
      `organizations: [{ id: ${id}, name: A }, { id: ${id.toUpperCase()}, name: B }]`,
      'organizations.1.id',
    ],
    [
      'services',
      `organizations: [{ id: ${id}, name: A, services: [{ id: ${id}, name: a }, { id: ${id}, name: b }] }]`,
      'organizations.0.services.1.id',
    ],
  ])('%s', (_, text, expected) => {
    expect(sentenceOf(text)).toContain(expected);
    expect(sentenceOf(text)).not.toContain(key);
  });
});

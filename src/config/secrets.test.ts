import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { ConfigError } from './config-error.ts';

describe('secrets', () => {
  const secret = 'hunter2hunter2';
  const config = loadConfig({
    SIGNALBOX_SECRET_KEY: secret,
    SIGNALBOX_POSTGRES_URL: `postgres://u:${secret}@db/x`,
    SIGNALBOX_CLICKHOUSE_URL: `http://u:${secret}@ch:8123`,
  });

  it('do not show when the configuration is printed, logged or joined into a text', () => {
    const shown = [
      JSON.stringify(config),
      inspect(config, { depth: 9, showHidden: true }),
      `${config.secrets.secretKey}`,
    ];
    for (const text of shown) expect(text).not.toContain(secret);
    expect(config.secrets.secretKey?.reveal()).toBe(secret);
  });

  it('do not appear in the sentence about a wrong setting', () => {
    for (const name of ['SIGNALBOX_POSTGRES_URL', 'SIGNALBOX_CLICKHOUSE_URL', 'SIGNALBOX_PUBLIC_URL']) {
      const load = (): unknown => loadConfig({ [name]: `u:${secret}@db`, SIGNALBOX_SECRET_KEY: secret });
      expect(load).toThrow(ConfigError);
      expect(load).not.toThrow(secret);
    }
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './config-error.ts';
import { readTlsFiles } from './tls-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('certificate and key (decisions F10)', () => {
  it('that cannot be read are named by their variable', async () => {
    const certFile = join(folder, 'cert.pem');
    const keyFile = join(folder, 'key.pem');
    await expect(readTlsFiles({ certFile, keyFile })).rejects.toThrow(/^SIGNALBOX_TLS_CERT must/);
    writeFileSync(certFile, 'x');
    await expect(readTlsFiles({ certFile, keyFile })).rejects.toThrow(/^SIGNALBOX_TLS_KEY must/);
  });

  it('that are no pair stop the start', async () => {
    const certFile = join(folder, 'cert.pem');
    const keyFile = join(folder, 'key.pem');
    for (const file of [certFile, keyFile]) writeFileSync(file, 'not PEM');
    const reading = readTlsFiles({ certFile, keyFile });
    await expect(reading).rejects.toThrow(ConfigError);
    await expect(reading).rejects.toThrow('a matching certificate and key');
  });
});

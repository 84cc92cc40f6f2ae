import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { ConfigError } from './config-error.ts';
import type { ListenConfig } from './listen-config.ts';
import type { VariableName } from './variables.ts';

export interface TlsMaterial {
  cert: Buffer;
  key: Buffer;
}

/** Certificate and key, read and checked to belong together. @throws {ConfigError} */
export async function readTlsFiles(tls: NonNullable<ListenConfig['tls']>): Promise<TlsMaterial> {
  const cert = await readPem('SIGNALBOX_TLS_CERT', tls.certFile);
  const key = await readPem('SIGNALBOX_TLS_KEY', tls.keyFile);
  try {
    createSecureContext({ cert, key });
  } catch {
    throw new ConfigError(
      'SIGNALBOX_TLS_CERT and SIGNALBOX_TLS_KEY must name PEM files of a matching certificate and key.',
    );
  }
  return { cert, key };
}

async function readPem(name: VariableName, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new ConfigError(`${name} must name a PEM file that can be read.`);
  }
}

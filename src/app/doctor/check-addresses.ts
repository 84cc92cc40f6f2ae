import { X509Certificate } from 'node:crypto';
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/config-error.ts';
import { readTlsFiles } from '../../config/tls-files.ts';
import { type Finding, findingsOf } from './finding.ts';

const dayMs = 86_400_000;
const certificateDaysMin = 14;

/** Links in notifications lead to the public URL; browsers send cookies only where it says. */
export function checkPublicUrl({ publicUrl, listen }: Pick<Config, 'publicUrl' | 'listen'>): Finding[] {
  const finding = findingsOf('public URL');
  const isOpen = !isLoopback(listen.host);
  if (publicUrl === undefined) {
    if (!isOpen) return [finding.ok('Links lead to localhost, as the program listens on this machine only.')];
    return [
      finding.warning(
        'The program listens for other machines, and links in notifications lead to localhost.',
        'Set SIGNALBOX_PUBLIC_URL to the address that people use.',
      ),
    ];
  }
  if (isOpen && !publicUrl.startsWith('https:') && !listen.tls) {
    return [
      finding.warning(
        `${publicUrl} is not encrypted: keys, passwords and cookies can be read on the way.`,
        'Set SIGNALBOX_TLS_CERT and SIGNALBOX_TLS_KEY, or put a TLS proxy in front.',
      ),
    ];
  }
  return [finding.ok(`Links lead to ${publicUrl}.`)];
}

export async function checkTls({ listen }: Pick<Config, 'listen'>, nowMs: number): Promise<Finding[]> {
  const finding = findingsOf('TLS');
  if (!listen.tls) return [finding.ok('The program does not terminate TLS.')];
  const advice = 'Renew the certificate and restart the program.';
  try {
    const { cert } = await readTlsFiles(listen.tls);
    const { validTo } = new X509Certificate(cert);
    const days = Math.floor((Date.parse(validTo) - nowMs) / dayMs);
    if (days < 0) return [finding.error('The certificate has expired.', advice)];
    if (days < certificateDaysMin)
      return [finding.warning(`The certificate expires soon (days left: ${days}).`, advice)];
    return [finding.ok(`The certificate is valid (days left: ${days}).`)];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [finding.error(error.message, 'Correct the two settings, or remove both.')];
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

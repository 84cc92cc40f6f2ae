import { Agent, request } from 'undici';
import type { Config } from '../../config/config.ts';
import type { ReadinessReport } from '../../http/service-routes.ts';
import { portsOf } from './check-ports.ts';
import { type Finding, findingsOf } from './finding.ts';

const timeoutMs = 6_000;

/** What a program that runs with these settings on this machine says of itself; `undefined` when none answers. */
export async function askProgram(config: Pick<Config, 'listen' | 'roles'>): Promise<ReadinessReport | undefined> {
  const { host, tls } = config.listen;
  const http = portsOf(config).filter(({ variable, number }) => !variable.includes('OTLP') && number !== 0);
  // The certificate is for the public name, not for this address.
  const agent = new Agent({ connect: { rejectUnauthorized: false } });
  try {
    for (const { number } of http) {
      const url = `${tls ? 'https' : 'http'}://${reachable(host)}:${number}/ready`;
      const report = await ask(url, agent).catch(() => undefined);
      if (report) return report;
    }
    return undefined;
  } finally {
    await agent.close();
  }
}

export function presentProgram(report: ReadinessReport | undefined): Finding[] {
  const finding = findingsOf('program');
  if (!report) return [finding.ok('No program answers on these ports.')];
  const unavailable = Object.entries(report.parts).filter(([, state]) => state !== 'ready');
  const parts = unavailable.map(([part]) =>
    finding.error(
      `${part}: ${report.reasons?.[part] ?? 'unavailable'}`,
      'See docs/operations.md, "When something fails".',
    ),
  );
  const warnings = (report.warnings ?? []).map((text) =>
    finding.warning(text, 'See docs/operations.md, "When something fails".'),
  );
  const findings = [...parts, ...warnings];
  return findings.length > 0 ? findings : [finding.ok('It is running and ready.')];
}

async function ask(url: string, dispatcher: Agent): Promise<ReadinessReport | undefined> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { body } = await request(url, { dispatcher, signal });
  const report: unknown = await body.json();
  return isReport(report) ? report : undefined;
}

function isReport(value: unknown): value is ReadinessReport {
  return typeof value === 'object' && value !== null && 'parts' in value && typeof value.parts === 'object';
}

/** All addresses of this machine include the loopback one. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

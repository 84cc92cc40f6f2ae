import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import type { Role } from '../../config/roles.ts';
import { type Finding, findingsOf } from './finding.ts';

interface Port {
  variable: string;
  number: number;
}

/** Those that the roles listen on, in the order in which they start. */
export function portsOf({ listen: { ports }, roles }: Pick<Config, 'listen' | 'roles'>): Port[] {
  const of = (role: Role, variable: string, number: number) => (roles.has(role) ? [{ variable, number }] : []);
  return [
    ...of('api', 'SIGNALBOX_API_PORT', ports.api),
    ...of('web', 'SIGNALBOX_WEB_PORT', ports.web),
    ...(ports.ops === undefined ? [] : [{ variable: 'SIGNALBOX_OPS_PORT', number: ports.ops }]),
    ...of('collector', 'SIGNALBOX_OTLP_GRPC_PORT', ports.otlpGrpc),
    ...of('collector', 'SIGNALBOX_OTLP_HTTP_PORT', ports.otlpHttp),
  ];
}

/** Whether the ports are free, or the program itself has them. */
export async function checkPorts(config: Pick<Config, 'listen' | 'roles'>, isRunning: boolean): Promise<Finding[]> {
  const finding = findingsOf('ports');
  const fixed = portsOf(config).filter(({ number }) => number !== 0);
  const taken: Finding[] = [];
  for (const { variable, number } of fixed) {
    const code = await codeOfListening(config.listen.host, number);
    if (code === undefined || (code === 'EADDRINUSE' && isRunning)) continue;
    taken.push(
      finding.error(
        sentenceFor(code, number, config.listen.host),
        `Set ${code === 'EADDRNOTAVAIL' ? 'SIGNALBOX_HOST' : variable}, or stop the other program.`,
      ),
    );
  }
  if (taken.length > 0) return taken;
  return [finding.ok(isRunning ? 'The running program has its ports.' : `All ports are free (${fixed.length}).`)];
}

function sentenceFor(code: string, port: number, host: string): string {
  if (code === 'EADDRINUSE') return `Port ${port} is used by another program.`;
  if (code === 'EACCES') return `This user may not listen on port ${port}.`;
  return `The program cannot listen on port ${port} of ${host} (${code}).`;
}

/** The system's code if it does not work. */
function codeOfListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

import type { PipeInput } from '../../contract/pipe-input.ts';
import type { Problem } from '../../contract/problem.ts';
import { trimTrailing } from '../../kernel/trim-trailing.ts';

type RegistryInput = Pick<NonNullable<NonNullable<PipeInput['source']>['kafka']>, 'schemaRegistry' | 'format'>;

export interface RegistrySettings {
  url: string;
  ca?: string;
  credentials?: { username: string; password: string };
}

/** What of a source's registry, which is at `path`, cannot be used. */
export function registryProblems(path: string, { format, schemaRegistry }: RegistryInput): Problem[] {
  const problem = (field: string, message: string): Problem => ({ path: `${path}.${field}`, message });
  if (!schemaRegistry) {
    return format === 'AvroConfluent' ? [problem('schemaRegistry', 'is required for the format AvroConfluent')] : [];
  }
  const { url = '', authentication, credentials = {} } = schemaRegistry;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const problems: Problem[] = [];
  if (parsed?.protocol !== 'https:' && parsed?.protocol !== 'http:') {
    problems.push(problem('schemaRegistry.url', 'must be an absolute http or https URL'));
  } else if (parsed.username || parsed.password) {
    problems.push(problem('schemaRegistry.url', 'must have no user or password; use credentials'));
  }
  if (authentication && authentication !== 'PLAIN') {
    problems.push(problem('schemaRegistry.authentication', 'must be PLAIN, or absent'));
  }
  if ((authentication || schemaRegistry.credentials) && !(credentials.username && credentials.password)) {
    problems.push(problem('schemaRegistry.credentials', 'must have username and password'));
  }
  return problems;
}

/** Of a source without problems. */
export function registryOf({ schemaRegistry }: Pick<RegistryInput, 'schemaRegistry'>): RegistrySettings | undefined {
  if (!schemaRegistry?.url) return undefined;
  const { url, caCertificate, credentials: { username, password } = {} } = schemaRegistry;
  return {
    url: trimTrailing(url, '/'),
    ...(caCertificate && { ca: caCertificate }),
    ...(username && password && { credentials: { username, password } }),
  };
}

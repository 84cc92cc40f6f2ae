import type { Readiness } from '../http/service-routes.ts';

/** Asks every part at once; a part that rejects is unavailable. */
export function readinessOf(parts: Readonly<Record<string, () => Promise<unknown>>>): Readiness {
  return {
    async parts() {
      const states = Object.entries(parts).map(async ([name, ask]) => [name, await stateOf(ask)] as const);
      return Object.fromEntries(await Promise.all(states));
    },
  };
}

function stateOf(ask: () => Promise<unknown>): Promise<'ready' | 'unavailable'> {
  return ask().then(
    () => 'ready',
    () => 'unavailable',
  );
}

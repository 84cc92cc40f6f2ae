import { inject } from 'vitest';

/** The facts of a service that files of this run share; `name` distinguishes services of one kind. */
export async function askBroker<T extends object>(
  kind: 'postgres' | 'engine' | 'demo' | 'browser',
  name = '',
): Promise<T> {
  const answer = await fetch(`${inject('runBroker')}/${kind}/${name}`);
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  // `run-services.ts` says what each kind answers.
  return JSON.parse(text) as T;
}

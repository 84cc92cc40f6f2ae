/** One thing that is wrong with what a client sent: where (dotted path), and what would be right. */
export interface Problem {
  path: string;
  message: string;
}

const problemsShown = 20;

/** `tiles.2.series.0.aggFn: must be one of …; name: is required`, at most twenty of them. */
export function problemsText(problems: readonly Problem[]): string {
  const shown = problems
    .slice(0, problemsShown)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return problems.length > shown.length ? `${shown.join('; ')}; and more` : shown.join('; ');
}

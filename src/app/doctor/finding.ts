/** What one check found, for the person at the terminal. Contains no secret. */
export interface Finding {
  check: string;
  level: 'ok' | 'warning' | 'error';
  /** What is so. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

/** Findings of one check, with its name. */
export function findingsOf(check: string) {
  return {
    ok: (message: string): Finding => ({ check, level: 'ok', message }),
    warning: (message: string, advice: string): Finding => ({ check, level: 'warning', message, advice }),
    error: (message: string, advice: string): Finding => ({ check, level: 'error', message, advice }),
  };
}

/** One line each, and a second one with what to do. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.map(({ check, level, message, advice }) => {
    const line = `${level.padEnd(7)}  ${check.padEnd(width)}  ${message}\n`;
    return advice === undefined ? line : `${line}${' '.repeat(width + 11)}${advice}\n`;
  });
  return lines.join('');
}

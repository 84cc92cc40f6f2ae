const letters = { second: 's', minute: 'm', hour: 'h', day: 'd' } as const;

/** `5 minute` → `5m`; a short form and any text that is neither pass unchanged (contract §5.2). */
export function shortGranularity(text: string): string {
  const match = /^(\d+) (second|minute|hour|day)s?$/.exec(text);
  if (!match) return text;
  return `${match[1]}${letters[match[2] as keyof typeof letters]}`;
}

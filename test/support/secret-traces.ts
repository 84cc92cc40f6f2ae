/** Forms in which a secret may leak: as it is, percent- and base64-encoded at any alignment, as hex. */
function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((pad) => {
    const encoded = Buffer.concat([Buffer.alloc(pad), bytes]).toString('base64');
    // Characters at both ends also depend on the neighbours.
    return encoded.slice(4, -4);
  });
  return [secret, hex, hex.toUpperCase(), ...base64, ...base64.map(toUrlSafe)];
}

function toUrlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_');
}

/** Which of the secrets can be found in what was seen, with the place; empty when none can. */
export function tracesOf(secrets: readonly string[], seen: Readonly<Record<string, string>>): string[] {
  return secrets.flatMap((secret) => {
    const spellings = spellingsOf(secret);
    return Object.entries(seen)
      .filter(([, text]) => spellings.some((spelling) => text.includes(spelling)))
      .map(([place]) => `${secret} in ${place}`);
  });
}

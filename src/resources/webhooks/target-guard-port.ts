export type TargetCheckResult =
  /** `listed`: the operator named this host among those that may be called. */
  | { ok: true; listed?: boolean }
  /** `reason` is a sentence for the person who entered the URL; it names no address that only the server knows. */
  | { ok: false; reason: string };

/** Port: may this program send to that URL (decisions A9)? */
export interface TargetGuard {
  /**
   * Resolves the name and rejects private, loopback, link-local and reserved addresses, unless the host is allowed by
   * configuration. A name that does not resolve is accepted here: it is checked again at every send.
   */
  check(url: string): Promise<TargetCheckResult>;
}

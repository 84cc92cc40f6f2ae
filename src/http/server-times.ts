/** How long one request may take to arrive, on every HTTP port. */
export const bodyTimeoutMs = 60_000;

/** What Node.js itself enforces: the head, and the whole request if its body is not read. Checked every 5 s. */
export const lateness = { headersTimeout: 20_000, connectionsCheckingInterval: 5_000 };
export const requestTimeoutMs = 90_000;
export const keepAliveTimeoutMs = 65_000;

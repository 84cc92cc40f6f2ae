/** Without schemas, so that the pages can have them. */
export const trendLimits = {
  /** Alerts in one request. */
  alerts: 50,
  /** Of each alert. */
  windows: 24,
} as const;

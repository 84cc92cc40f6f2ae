import type { Env } from './env.ts';

/** How alerts are evaluated and notifications sent. */
export interface AlertingConfig {
  /** Time that late rows are given after the end of a window (decisions A5). */
  delayMs: number;
  /** How long evaluations, finished messages and delivery attempts are kept. */
  logDays: number;
  /** A webhook that has not answered after this long is tried again (U-44). */
  sendTimeoutMs: number;
  /** Pause before the first retry; each further one is twice as long, up to 5 min (decisions A8). */
  firstRetryMs: number;
}

const minuteMs = 60_000;

/** @throws {ConfigError} */
export function readAlertingConfig(env: Env): AlertingConfig {
  return {
    delayMs: env.integer('SIGNALBOX_ALERT_DELAY_MS', { min: 0, max: 60 * minuteMs }) ?? 10_000,
    logDays: env.integer('SIGNALBOX_RETENTION_DAYS_ALERT_LOG', { min: 1, max: 3650 }) ?? 30,
    sendTimeoutMs: env.integer('SIGNALBOX_WEBHOOK_TIMEOUT_MS', { min: 100, max: 5 * minuteMs }) ?? 30_000,
    firstRetryMs: env.integer('SIGNALBOX_WEBHOOK_RETRY_MS', { min: 100, max: 5 * minuteMs }) ?? 1_000,
  };
}

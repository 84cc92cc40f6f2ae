import type { Registry } from 'prom-client';
import type { EvaluationMetrics, EvaluationResultKind } from '../../evaluator/evaluation-metrics.ts';
import type { DeliveryMetrics, DeliveryOutcome } from '../../notify/delivery-metrics.ts';
import { counterOf, histogramOf, startAtZero } from './instruments.ts';

const resultLabels: Readonly<Record<EvaluationResultKind, string>> = {
  evaluated: 'evaluated',
  superseded: 'superseded',
  notStored: 'notStored',
  QUERY_ERROR: 'queryError',
  QUERY_TIMEOUT: 'queryTimeout',
  INVALID_ALERT: 'invalidAlert',
  UNKNOWN: 'unknownError',
};
const deliveryOutcomes: readonly DeliveryOutcome[] = ['delivered', 'retried', 'failed', 'interrupted'];

export function evaluationInstruments(registry: Registry): EvaluationMetrics {
  const ended = counterOf(registry, {
    name: 'alert_evaluations_total',
    help: 'Evaluations of one window of one alert, by result.',
    labels: ['result'],
  });
  startAtZero(ended, 'result', Object.values(resultLabels));
  const lag = histogramOf(registry, {
    name: 'alert_evaluation_lag_seconds',
    help: 'Time from the moment a window was due until its evaluation was stored.',
    buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800],
  });
  const missed = counterOf(registry, {
    name: 'alert_missed_windows_total',
    help: 'Windows that were skipped because too many were due to catch up on.',
  });
  return {
    ended: (result, evaluations) => ended.inc({ result: resultLabels[result] }, evaluations),
    lagged: (lagMs, evaluations) => {
      for (let count = 0; count < evaluations; count++) lag.observe(lagMs / 1000);
    },
    missed: (windows) => missed.inc(windows),
  };
}

export function deliveryInstruments(registry: Registry): DeliveryMetrics {
  const tries = counterOf(registry, {
    name: 'notification_delivery_attempts_total',
    help: 'Attempts to deliver a notification, by outcome.',
    labels: ['outcome'],
  });
  startAtZero(tries, 'outcome', deliveryOutcomes);
  const duration = histogramOf(registry, {
    name: 'notification_delivery_duration_seconds',
    help: 'Time of one attempt to deliver a notification, up to the response of the receiver.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30],
  });
  return {
    tried: (outcome, durationMs) => {
      tries.inc({ outcome });
      duration.observe(durationMs / 1000);
    },
  };
}

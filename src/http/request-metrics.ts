import { Counter, Histogram, type Registry } from 'prom-client';
import type { RequestObserver } from './request-done.ts';

/** Counts requests and their durations by method, route pattern and status. */
export function requestMetrics(registry: Registry): RequestObserver {
  const total = new Counter({
    name: 'http_requests_total',
    help: 'Requests answered by the API.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to the end of its response.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 30],
    registers: [registry],
  });
  return ({ method, route, status, startMs, endMs }) => {
    total.inc({ method, route, status });
    duration.observe({ method, route }, (endMs - startMs) / 1000);
  };
}

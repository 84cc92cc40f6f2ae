/** The three kinds of telemetry that OTLP carries. */
export type Signal = 'logs' | 'traces' | 'metrics';

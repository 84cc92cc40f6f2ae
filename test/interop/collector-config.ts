import { ingestionKey } from '../support/start-program.ts';

export interface Pipeline {
  name: string;
  transport: 'otlphttp' | 'otlp';
  compression: string;
  encoding?: 'json' | 'proto';
}

const over = (transport: Pipeline['transport'], prefix: string, compressions: readonly string[], rest: object = {}) =>
  compressions.map((compression): Pipeline => ({ name: `${prefix}-${compression}`, transport, compression, ...rest }));

const overHttp = ['none', 'gzip', 'zstd', 'zlib', 'deflate', 'snappy', 'x-snappy-framed', 'lz4'];

/** Every compression that the Collector's exporters know. */
export const pipelines: readonly Pipeline[] = [
  ...over('otlphttp', 'http', overHttp),
  ...over('otlphttp', 'json', overHttp, { encoding: 'json' }),
  ...over('otlp', 'grpc', ['none', 'gzip', 'zstd', 'snappy']),
];

/**
 * A Collector that takes each pipeline's telemetry on a separate port and forwards it immediately: its answer is the
 * program's.
 */
export function collectorConfig(
  addresses: { otlpHttp: string; otlpGrpc: string },
  portOf: (pipeline: Pipeline) => number,
): object {
  const each = <T>(prefix: (pipeline: Pipeline) => string, value: (pipeline: Pipeline) => T) =>
    Object.fromEntries(pipelines.map((pipeline) => [`${prefix(pipeline)}/${pipeline.name}`, value(pipeline)]));
  return {
    receivers: each(
      () => 'otlp',
      (pipeline) => ({ protocols: { http: { endpoint: `127.0.0.1:${portOf(pipeline)}` } } }),
    ),
    exporters: each(
      ({ transport }) => transport,
      ({ transport, compression, encoding }) => ({
        endpoint: transport === 'otlp' ? new URL(addresses.otlpGrpc).host : addresses.otlpHttp,
        compression,
        ...(encoding && { encoding }),
        ...(transport === 'otlp' && { tls: { insecure: true } }),
        headers: { authorization: ingestionKey },
        sending_queue: { enabled: false },
        retry_on_failure: { enabled: false },
      }),
    ),
    service: {
      pipelines: Object.assign(
        {},
        ...['logs', 'traces', 'metrics'].map((signal) =>
          each(
            () => signal,
            ({ name, transport }) => ({ receivers: [`otlp/${name}`], exporters: [`${transport}/${name}`] }),
          ),
        ),
      ),
    },
  };
}

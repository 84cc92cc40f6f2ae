// OTLP/JSON as a collector takes it over HTTP: built by hand, so that the demo needs no SDK.

/** Sends to a collector, one export request after the other. */
export class OtlpSender {
  #origin;
  #key;

  constructor(origin, key) {
    this.#origin = origin;
    this.#key = key;
  }

  /** `batch` = what `Shop.play` gives: spans, logs and metrics by service. @throws {Error} when one is refused */
  async send({ spans, logs, metrics }) {
    await this.#post('traces', 'resourceSpans', 'scopeSpans', 'spans', spans);
    await this.#post('logs', 'resourceLogs', 'scopeLogs', 'logRecords', logs);
    await this.#post('metrics', 'resourceMetrics', 'scopeMetrics', 'metrics', metrics);
  }

  async #post(signal, resources, scopes, items, byService) {
    const all = [...byService].filter(([, records]) => records.length > 0);
    if (all.length === 0) return;
    const body = {
      [resources]: all.map(([service, records]) => ({
        resource: { attributes: attributes(resourceOf(service)) },
        [scopes]: [{ scope: { name: 'shop', version: '1.4.2' }, [items]: records }],
      })),
    };
    const answer = await fetch(`${this.#origin}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`The collector refused ${signal}: ${answer.status} ${await answer.text()}`);
  }
}

function resourceOf(service) {
  return {
    'service.name': service,
    'service.version': '1.4.2',
    'deployment.environment': 'demo',
    'host.name': `${service}-7d9f`,
  };
}

export function attributes(record) {
  return Object.entries(record).map(([key, value]) => ({ key, value: anyValue(value) }));
}

function anyValue(value) {
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: String(value) };
}

/** Unix milliseconds, with fractions, as the text of nanoseconds. */
export function nanos(timeMs) {
  const wholeMs = Math.floor(timeMs);
  return String(BigInt(wholeMs) * 1_000_000n + BigInt(Math.round((timeMs - wholeMs) * 1e6)));
}

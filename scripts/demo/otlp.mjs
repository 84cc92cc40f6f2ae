// OTLP/JSON as a collector takes it over HTTP: built by hand, so that the demo needs no SDK.

/** `batch` = what `Shop.play` gives: spans, logs and metrics by service. One request per signal that has any. */
export function exportRequests({ spans, logs, metrics }) {
  return [
    exportRequest('traces', ['resourceSpans', 'scopeSpans', 'spans'], spans),
    exportRequest('logs', ['resourceLogs', 'scopeLogs', 'logRecords'], logs),
    exportRequest('metrics', ['resourceMetrics', 'scopeMetrics', 'metrics'], metrics),
  ].flat();
}

function exportRequest(signal, [resources, scopes, items], byService) {
  const all = [...byService].filter(([, records]) => records.length > 0);
  if (all.length === 0) return [];
  const body = {
    [resources]: all.map(([service, records]) => ({
      resource: { attributes: attributes(resourceOf(service)) },
      [scopes]: [{ scope: { name: 'shop', version: '1.4.2' }, [items]: records }],
    })),
  };
  return [{ signal, body: JSON.stringify(body) }];
}

/** Sends to a collector. */
export class OtlpSender {
  #origin;
  #key;

  constructor(origin, key) {
    this.#origin = origin;
    this.#key = key;
  }

  /** All in parallel. @throws {Error} if one is refused */
  async send(requests) {
    await Promise.all(requests.map((request) => this.#post(request)));
  }

  async #post({ signal, body }) {
    const answer = await fetch(`${this.#origin}/v1/${signal}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#key}` },
      body,
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

// A shop of five services that exists only as telemetry: what its customers do becomes spans, logs and metrics.
import { attributes, nanos } from './otlp.mjs';
import { seededRandom } from './random.mjs';

export const services = ['web', 'checkout', 'cart', 'payment', 'catalog'];
const minuteMs = 60_000;
const dayMs = 86_400_000;
/** Every half hour the bank fails for 10 minutes; when the demo starts it has failed for 5, one window of the alert. */
const incident = { everyMs: 30 * minuteMs, lastsMs: 10 * minuteMs, ageAtStartMs: 5 * minuteMs };
const bounds = [5, 10, 25, 50, 100, 250, 500, 1000, 2500];
const regions = ['eu-central', 'us-east', 'ap-south'];
const products = ['espresso-machine', 'grinder', 'kettle', 'filter-papers', 'scale'];

/** What customers ask for, how often, and which calls it makes: service, what it does, typical milliseconds. */
const journeys = [
  { share: 0.3, name: 'GET /', calls: [['catalog', 'GET /featured', 18]] },
  { share: 0.65, name: 'GET /products/:id', calls: [['catalog', 'GET /products/:id', 12]] },
  {
    share: 0.85,
    name: 'POST /cart',
    calls: [
      ['catalog', 'GET /stock', 9],
      ['cart', 'PUT /items', 15],
    ],
  },
  {
    share: 1,
    name: 'POST /checkout',
    calls: [
      ['cart', 'GET /items', 8],
      ['checkout', 'POST /orders', 40],
      ['payment', 'POST /charges', 120],
    ],
  },
];

const statements = {
  catalog: 'SELECT * FROM products WHERE id = $1',
  cart: 'UPDATE carts SET items = $1 WHERE id = $2',
  checkout: 'INSERT INTO orders (cart, total) VALUES ($1, $2)',
};

export class Shop {
  #random;
  #startMs;
  #orders = new Map(regions.map((region) => [region, 0]));
  #countedFromMs;

  /** `startMs` is the start of the incident that is ongoing when the demo starts; the playback may begin earlier. */
  constructor({ startMs, firstMs, seed = 7 }) {
    this.#startMs = startMs;
    this.#countedFromMs = firstMs;
    this.#random = seededRandom(seed);
  }

  /** What happens in [fromMs, toMs), with `everyMs` between two customers on average, and one point of each metric. */
  play({ fromMs, toMs, everyMs }) {
    const batch = { spans: byService(), logs: byService(), metrics: byService(), served: byService() };
    let atMs = fromMs;
    while (true) {
      atMs += (-Math.log(1 - this.#random.next()) * everyMs) / busyness(atMs);
      if (atMs >= toMs) break;
      this.#customer(batch, atMs);
    }
    this.#measure(batch, { fromMs, toMs });
    return batch;
  }

  #customer(batch, atMs) {
    const random = this.#random;
    const dice = random.next();
    const journey = journeys.find(({ share }) => dice < share);
    const trace = { batch, traceId: random.hex(32), region: random.pick(regions), product: random.pick(products) };
    const rootId = random.hex(16);
    let clockMs = atMs + random.latencyMs(3);
    let failure;
    for (const [service, name, typicalMs] of journey.calls) {
      const call = this.#call(trace, { service, name, typicalMs, parentId: rootId, atMs: clockMs });
      clockMs = call.endMs + random.latencyMs(1);
      failure = call.failure;
      if (failure) break;
    }
    const status = failure ? 502 : 200;
    this.#span(trace, {
      service: 'web',
      id: rootId,
      name: journey.name,
      kind: 2,
      atMs,
      endMs: clockMs + random.latencyMs(2),
      failure,
      facts: {
        'http.method': journey.name.split(' ')[0],
        'http.route': journey.name.split(' ')[1],
        'http.status_code': status,
      },
    });
    this.#log(trace, {
      service: 'web',
      id: rootId,
      atMs: clockMs,
      severity: failure ? 'warn' : 'info',
      body: `${journey.name} ${status} ${Math.round(clockMs - atMs)}ms`,
      facts: { 'http.status_code': status, 'http.route': journey.name.split(' ')[1] },
    });
    if (journey.name === 'POST /checkout' && !failure) {
      this.#orders.set(trace.region, this.#orders.get(trace.region) + 1);
    }
  }

  /** One call of a service, with its database where it has one. */
  #call(trace, { service, name, typicalMs, parentId, atMs }) {
    const random = this.#random;
    const id = random.hex(16);
    const failing = service === 'payment' && random.chance(this.#bankFails(atMs) ? 0.85 : 0.01);
    const failure = failing ? 'card processor timed out' : undefined;
    const endMs = atMs + random.latencyMs(failing ? typicalMs * 8 : typicalMs);
    const statement = statements[service];
    if (statement) {
      const facts = { 'db.system': 'postgresql', 'db.statement': statement };
      const within = { atMs: atMs + (endMs - atMs) * 0.2, endMs: atMs + (endMs - atMs) * 0.85 };
      this.#span(trace, {
        service,
        id: random.hex(16),
        parentId: id,
        name: statement.split(' ')[0],
        kind: 3,
        ...within,
        facts,
      });
    }
    const facts = {
      'http.method': name.split(' ')[0],
      'http.route': name.split(' ')[1],
      'http.status_code': failing ? 504 : 200,
    };
    this.#span(trace, { service, id, parentId, name, kind: 2, atMs, endMs, failure, facts });
    if (failing) {
      const body = `Payment declined: ${failure} after ${Math.round(endMs - atMs)} ms`;
      this.#log(trace, {
        service,
        id,
        atMs: endMs,
        severity: 'error',
        body,
        facts: { 'payment.provider': 'northbank' },
      });
    } else if (service === 'checkout') {
      this.#log(trace, {
        service,
        id,
        atMs: endMs,
        severity: 'info',
        body: 'Order placed',
        facts: { product: trace.product },
      });
    } else if (service === 'catalog' && random.chance(0.03)) {
      this.#log(trace, { service, id, atMs, severity: 'warn', body: 'Cache miss, read from the database', facts: {} });
    }
    return { endMs, failure };
  }

  #span({ batch, traceId, region }, { service, id, parentId, name, kind, atMs, endMs, failure, facts }) {
    if (kind === 2) batch.served.get(service).push(endMs - atMs);
    batch.spans.get(service).push({
      traceId,
      spanId: id,
      ...(parentId ? { parentSpanId: parentId } : {}),
      name,
      kind,
      startTimeUnixNano: nanos(atMs),
      endTimeUnixNano: nanos(endMs),
      attributes: attributes({ ...facts, 'customer.region': region }),
      status: failure ? { code: 2, message: failure } : { code: 0 },
    });
  }

  #log({ batch, traceId, region }, { service, id, atMs, severity, body, facts }) {
    batch.logs.get(service).push({
      timeUnixNano: nanos(atMs),
      observedTimeUnixNano: nanos(atMs),
      severityNumber: { info: 9, warn: 13, error: 17 }[severity],
      severityText: severity,
      body: { stringValue: body },
      traceId,
      spanId: id,
      attributes: attributes({ ...facts, 'customer.region': region }),
    });
  }

  /** A counter of orders, a histogram of response times, and two gauges, at the end of what was played. */
  #measure(batch, { fromMs, toMs }) {
    const time = { timeUnixNano: nanos(toMs) };
    const counted = { ...time, startTimeUnixNano: nanos(this.#countedFromMs) };
    batch.metrics.get('checkout').push({
      name: 'shop.orders.placed',
      unit: '{order}',
      sum: {
        aggregationTemporality: 2,
        isMonotonic: true,
        dataPoints: [...this.#orders].map(([region, orders]) => ({
          ...counted,
          asInt: String(orders),
          attributes: attributes({ region }),
        })),
      },
    });
    const open = Math.round(40 * busyness(toMs) + 8 * this.#random.next());
    batch.metrics.get('cart').push(gauge('shop.carts.open', '{cart}', { ...time, asInt: String(open) }));
    for (const [index, service] of services.entries()) {
      const bytes = Math.round(
        (90 + 25 * index + 12 * Math.sin(toMs / 600_000 + index) + 3 * this.#random.next()) * 1e6,
      );
      batch.metrics.get(service).push(gauge('process.memory.usage', 'By', { ...time, asInt: String(bytes) }));
      const latenciesMs = batch.served.get(service);
      if (latenciesMs.length === 0) continue;
      const point = { ...time, startTimeUnixNano: nanos(fromMs), ...histogramOf(latenciesMs) };
      batch.metrics.get(service).push({
        name: 'http.server.duration',
        unit: 'ms',
        histogram: { aggregationTemporality: 1, dataPoints: [point] },
      });
    }
  }

  #bankFails(atMs) {
    const sinceMs = atMs - this.#startMs + incident.ageAtStartMs;
    return ((sinceMs % incident.everyMs) + incident.everyMs) % incident.everyMs < incident.lastsMs;
  }
}

const byService = () => new Map(services.map((service) => [service, []]));

/** More customers by day than by night, with a swell of a quarter of an hour. */
function busyness(atMs) {
  return 1 + 0.4 * Math.sin((2 * Math.PI * (atMs % dayMs)) / dayMs - 2) + 0.25 * Math.sin(atMs / 150_000);
}

const gauge = (name, unit, point) => ({ name, unit, gauge: { dataPoints: [point] } });

function histogramOf(values) {
  const bucketCounts = new Array(bounds.length + 1).fill(0);
  for (const value of values) {
    const index = bounds.findIndex((bound) => value <= bound);
    bucketCounts[index === -1 ? bounds.length : index]++;
  }
  return {
    count: String(values.length),
    sum: values.reduce((sum, value) => sum + value, 0),
    bucketCounts: bucketCounts.map(String),
    explicitBounds: bounds,
  };
}

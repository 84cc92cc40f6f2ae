// What happened in the shop before the demo was started.

const secondMs = 1000;
export const hourMs = 3600 * secondMs;
/** So many stretches go into one batch: the last hour is one. */
const stretchesPerBatch = 240;

/** In batches of what `Shop.play` gives: days are thin, the last hour is as busy as now. */
export function* pastOf({ shop, firstMs, startMs }) {
  const hourAgoMs = startMs - hourMs;
  const days = { untilMs: hourAgoMs, stepMs: 300 * secondMs, everyMs: 30 * secondMs };
  const hour = { untilMs: startMs, stepMs: 15 * secondMs, everyMs: 2 * secondMs };
  let fromMs = firstMs;
  for (const { untilMs, stepMs, everyMs } of [days, hour]) {
    while (fromMs < untilMs) {
      const batch = emptyBatch();
      for (let step = 0; step < stretchesPerBatch && fromMs < untilMs; step++) {
        const toMs = Math.min(fromMs + stepMs, untilMs);
        merge(batch, shop.play({ fromMs, toMs, everyMs }));
        fromMs = toMs;
      }
      yield batch;
    }
  }
}

function emptyBatch() {
  return { spans: new Map(), logs: new Map(), metrics: new Map() };
}

function merge(into, { spans, logs, metrics }) {
  for (const [name, part] of Object.entries({ spans, logs, metrics })) {
    for (const [service, records] of part) {
      const found = into[name].get(service);
      if (found) found.push(...records);
      else into[name].set(service, [...records]);
    }
  }
}

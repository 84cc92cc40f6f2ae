import { sourceIdsOf } from '../../bench/program.ts';
import { recordsPerBatch, type Sender, type Signal } from './sender.ts';
import type { SoakWorld } from './soak-world.ts';

export interface Outcome {
  /** Records that were acknowledged and are not there, or are there more than once. */
  lost: number;
  doubled: number;
  stored: number;
  /** Messages of alerts. */
  messages: number;
  messagesDoubled: number;
  messagesMissing: number;
}

const kinds = { logs: 'log', traces: 'trace', metrics: 'metric' } as const;
const groupsMax = 10_000;
const hourMs = 3_600_000;

/** Compares what was acknowledged with what is stored, batch by batch. */
export async function assess(world: SoakWorld, sender: Sender, startedMs: number): Promise<Outcome> {
  const outcome = { lost: 0, doubled: 0, stored: 0, ...(await checkMessages(world)) };
  for (const signal of ['logs', 'traces', 'metrics'] as const) {
    const stored = await storedByBatch(world, signal, startedMs);
    for (const [batch, count] of stored) {
      outcome.stored += count;
      outcome.doubled += Math.max(0, count - recordsPerBatch);
      if (sender.acknowledged[signal].has(batch)) outcome.lost += Math.max(0, recordsPerBatch - count);
    }
    for (const batch of sender.acknowledged[signal]) if (!stored.has(batch)) outcome.lost += recordsPerBatch;
  }
  return outcome;
}

async function storedByBatch(world: SoakWorld, signal: Signal, startedMs: number): Promise<Map<string, number>> {
  const sources = await sourceIdsOf(world.program);
  const attributes = { logs: 'LogAttributes', traces: 'SpanAttributes', metrics: 'Attributes' }[signal];
  const metric =
    signal === 'metrics' ? { metricName: 'soak', metricDataType: 'sum', aggFn: 'sum' } : { aggFn: 'count' };
  const { data } = (await world.program.call('POST', '/api/v2/charts/series', {
    ...{ startTime: startedMs - hourMs, endTime: Date.now() + hourMs, granularity: '1d', seriesLimit: groupsMax },
    series: [
      { sourceId: sources.get(kinds[signal]), where: 'ServiceName:soak', groupBy: [`${attributes}.batch`], ...metric },
    ],
  })) as { data: { group: string[]; 'series_0.data': number }[] };
  const found = new Map<string, number>();
  for (const { group, 'series_0.data': count } of data) {
    const [batch = ''] = group;
    found.set(batch, (found.get(batch) ?? 0) + count);
  }
  return found;
}

interface Delivered {
  messageId: string;
  state: string;
}

/** Every message that the program holds to be delivered was taken once, and none is left. */
async function checkMessages({ program, alertIds, receiver }: SoakWorld) {
  const messages = new Map<string, string>();
  for (const id of alertIds) {
    const { data } = (await program.call('GET', `/api/v2/alerts/${id}/deliveries?limit=1000`)) as { data: Delivered[] };
    for (const { messageId, state } of data)
      if (messages.get(messageId) !== 'delivered') messages.set(messageId, state);
  }
  const delivered = [...messages.values()].filter((state) => state === 'delivered').length;
  const messagesDoubled = [...receiver.taken.values()].reduce((sum, times) => sum + times - 1, 0);
  return {
    messages: messages.size,
    messagesDoubled,
    messagesMissing: messages.size - Math.min(delivered, receiver.taken.size),
  };
}

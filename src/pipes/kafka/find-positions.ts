import type { LedgerEntry } from '../pipe-ledger.ts';
import { SourceError, type SourceJob } from '../source-port.ts';
import { type KafkaCluster, keyOf, type PartitionOffset, type TopicPlace } from './kafka-cluster.ts';
import { KafkaLedger, type PartitionPosition, type PlannedBatch, positionEntry, topicEntry } from './kafka-ledger.ts';
import type { KafkaSettings } from './kafka-settings.ts';

/** Where a run begins. */
export interface KafkaStart {
  topics: readonly TopicPlace[];
  /** By `keyOf`, of every partition. */
  positions: ReadonlyMap<string, PartitionPosition>;
  plans: readonly PlannedBatch[];
}

/**
 * Where each partition continues: as the ledger says; for topics that are read for the first time, where the consumer
 * group is, or as the settings say; for partitions that were added to a topic, at their beginning. All of it is durable
 * before the first record is read. Where records were lost, what is left is made durable and a `SourceError` says so
 * once. Throws what the cluster throws.
 */
export async function findPositions(
  job: SourceJob,
  cluster: KafkaCluster,
  settings: KafkaSettings,
): Promise<KafkaStart> {
  const ledger = new KafkaLedger(job.pipe.id, job.ledger);
  const plans = await ledger.plans();
  const planned = plans.flatMap(({ ranges }) => ranges.map(({ topic }) => topic));
  const found = await cluster.topics([...new Set([...settings.topics, ...planned])]);
  const topics = found.filter(({ name }) => settings.topics.includes(name));
  const missing = settings.topics.find((name) => !topics.some((topic) => topic.name === name));
  if (missing !== undefined) throw new SourceError('away', `There is no topic ${missing}.`);
  const ids = await ledger.topicIds();
  await refuseRecreated(topics, { ids, ledger, job, cluster });
  const positions = await ledger.positions(placesOf(topics));
  await addPositions(topics, { ids, positions, job, cluster, settings });
  if (plans.length === 0) await refuseLost(topics, { positions, job, cluster });
  return { topics: found, positions, plans };
}

/** Positions of partitions that are new; they are durable afterwards. */
export async function addPositions(
  topics: readonly TopicPlace[],
  known: {
    ids: ReadonlyMap<string, string>;
    positions: Map<string, PartitionPosition>;
    job: SourceJob;
    cluster: KafkaCluster;
    settings: KafkaSettings;
  },
): Promise<void> {
  const { ids, positions, job, cluster, settings } = known;
  const isNew = (place: { topic: string; partition: number }) => !positions.has(keyOf(place));
  const firstRead = topics.filter(({ name }) => !ids.has(name));
  const grown = topics.filter((topic) => ids.has(topic.name) && placesOf([topic]).some(isNew));
  if (firstRead.length === 0 && grown.length === 0) return;
  const committed = firstRead.length === 0 ? [] : await cluster.committed(firstRead);
  const starts = [
    ...(firstRead.length === 0 ? [] : await cluster.offsets(firstRead, settings.start)),
    ...(grown.length === 0 ? [] : await cluster.offsets(grown, 'earliest')),
  ].filter(isNew);
  const ofGroup = new Map(committed.map((offset) => [keyOf(offset), offset.offset]));
  const entries: LedgerEntry[] = firstRead.map(({ name, id }) => topicEntry(name, id));
  for (const start of starts) {
    const position = { offset: ofGroup.get(keyOf(start)) ?? start.offset, resets: 0 };
    positions.set(keyOf(start), position);
    entries.push(positionEntry(start, position));
  }
  await job.plan(entries);
}

export function placesOf(topics: readonly TopicPlace[]): { topic: string; partition: number }[] {
  return topics.flatMap(({ name, leaders }) => leaders.map((_, partition) => ({ topic: name, partition })));
}

/** A topic of the same name is another one when its id is: offsets begin anew. */
async function refuseRecreated(
  topics: readonly TopicPlace[],
  {
    ids,
    ledger,
    job,
    cluster,
  }: { ids: ReadonlyMap<string, string>; ledger: KafkaLedger; job: SourceJob; cluster: KafkaCluster },
): Promise<void> {
  const recreated = topics.filter(({ name, id }) => ids.has(name) && ids.get(name) !== id);
  if (recreated.length === 0) return;
  const before = await ledger.positions(placesOf(recreated));
  const starts = await cluster.offsets(recreated, 'earliest');
  await job.plan([
    ...recreated.map(({ name, id }) => topicEntry(name, id)),
    ...starts.map((start) => positionEntry(start, { offset: start.offset, resets: resetsOf(before, start) + 1 })),
  ]);
  const names = recreated.map(({ name }) => name).join(', ');
  throw new SourceError(
    'away',
    `These topics were deleted and made anew, and are read from their beginning: ${names}.`,
  );
}

/** Positions before the first record that is left, or after the last. */
async function refuseLost(
  topics: readonly TopicPlace[],
  {
    positions,
    job,
    cluster,
  }: { positions: ReadonlyMap<string, PartitionPosition>; job: SourceJob; cluster: KafkaCluster },
): Promise<void> {
  const firsts = await cluster.offsets(topics, 'earliest');
  const ends = await cluster.offsets(topics, 'end');
  const expired = firsts.filter((first) => (positions.get(keyOf(first))?.offset ?? 0) < first.offset);
  const cut = ends.filter((end) => (positions.get(keyOf(end))?.offset ?? 0) > end.offset);
  if (expired.length === 0 && cut.length === 0) return;
  await job.plan([
    ...expired.map((first) => positionEntry(first, { offset: first.offset, resets: resetsOf(positions, first) })),
    // Their offsets will be given to other records.
    ...cut.map((end) => positionEntry(end, { offset: end.offset, resets: resetsOf(positions, end) + 1 })),
  ]);
  const lost = expired.reduce((sum, first) => sum + first.offset - (positions.get(keyOf(first))?.offset ?? 0), 0);
  throw new SourceError('away', lostSentence(expired, lost, cut));
}

const partitionsShown = 5;

function lostSentence(expired: readonly PartitionOffset[], lost: number, cut: readonly PartitionOffset[]): string {
  if (expired.length > 0) {
    return `The retention of the topic has removed ${lost} records of ${shown(expired)} before they were read; the pipe continues with the oldest that are left.`;
  }
  return `The cluster has lost records of ${shown(cut)} that had been read; the pipe continues with what comes next.`;
}

function shown(places: readonly PartitionOffset[]): string {
  const names = places.slice(0, partitionsShown).map((place) => keyOf(place));
  return places.length > partitionsShown ? `${names.join(', ')} and others` : names.join(', ');
}

function resetsOf(positions: ReadonlyMap<string, PartitionPosition>, place: PartitionOffset): number {
  return positions.get(keyOf(place))?.resets ?? 0;
}

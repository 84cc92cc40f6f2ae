import { SourceError } from '../source-port.ts';
import { type KafkaCluster, keyOf, type PartitionOffset } from './kafka-cluster.ts';
import { sourceErrorOf } from './kafka-errors.ts';

/** What others see of the pipe in its consumer group. The ledger, not the group, says where the pipe is. */
export class GroupOffsets {
  readonly #cluster: Pick<KafkaCluster, 'commit'>;
  readonly #waiting = new Map<string, PartitionOffset>();

  constructor(cluster: Pick<KafkaCluster, 'commit'>) {
    this.#cluster = cluster;
  }

  /** What cannot be committed right now is committed with what comes next. Throws `SourceError` when it never can. */
  async commit(offsets: readonly PartitionOffset[]): Promise<void> {
    for (const offset of offsets) this.#waiting.set(keyOf(offset), offset);
    if (this.#waiting.size === 0) return;
    const sent = [...this.#waiting.values()];
    try {
      await this.#cluster.commit(sent);
      for (const offset of sent) {
        if (this.#waiting.get(keyOf(offset)) === offset) this.#waiting.delete(keyOf(offset));
      }
    } catch (error) {
      const translated = sourceErrorOf(error);
      if (!(translated instanceof SourceError) || translated.kind === 'rejected') throw translated;
    }
  }
}

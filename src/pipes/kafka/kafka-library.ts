import type * as library from '@platformatic/kafka';

export type KafkaLibrary = typeof library;

let loaded: Promise<KafkaLibrary> | undefined;

/** Loaded with the first pipe that needs it: it takes half a second. */
export function kafkaLibrary(): Promise<KafkaLibrary> {
  loaded ??= import('@platformatic/kafka');
  return loaded;
}

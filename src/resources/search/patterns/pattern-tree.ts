import { maskText, wildcard } from './mask-text.ts';

export interface FoundPattern {
  pattern: string;
  count: number;
  example: string;
  /** Characters of the longest of its texts. */
  longest: number;
}

interface Cluster {
  words: string[];
  count: number;
  example: string;
  longest: number;
}

/** Texts with at least this share of equal words have one pattern. */
const similarityMin = 0.5;
/** Of one length and beginning; beyond these a text joins the nearest one. */
const clustersMax = 200;
/** The blanks of RE2; others are letters, as they are for masks. */
const blanks = /[\t\n\f\r ]+/;
/** Words of a text that are compared. */
const wordsMax = 200;

/**
 * Finds the patterns of texts with the algorithm of Drain (He et al., 2017): texts of the same number of words that begin
 * alike are compared word by word, and words that differ become wildcards. Words with digits are wildcards from the
 * start, so that most texts are those that were seen before.
 */
export class PatternTree {
  /** By number of words and first word. */
  readonly #clusters = new Map<string, Cluster[]>();
  readonly #byMasked = new Map<string, Cluster>();

  add(text: string, count: number): void {
    const masked = maskText(text);
    const known = this.#byMasked.get(masked);
    const cluster = known ?? this.#clusterOf(masked, text);
    cluster.count += count;
    cluster.longest = Math.max(cluster.longest, text.length);
    if (!known) this.#byMasked.set(masked, cluster);
  }

  /** The most frequent first; of equal ones in the order of their texts. */
  patterns(): FoundPattern[] {
    const byPattern = new Map<string, FoundPattern>();
    for (const { words, ...found } of [...this.#clusters.values()].flat()) {
      const pattern = words.join(' ');
      const same = byPattern.get(pattern);
      if (same) {
        same.count += found.count;
        same.longest = Math.max(same.longest, found.longest);
      } else byPattern.set(pattern, { pattern, ...found });
    }
    return [...byPattern.values()].sort((a, b) => b.count - a.count || (a.pattern < b.pattern ? -1 : 1));
  }

  #clusterOf(masked: string, example: string): Cluster {
    const words = wordsOf(masked);
    const leaf = `${words.length} ${words[0]}`;
    const clusters = this.#clusters.get(leaf) ?? [];
    this.#clusters.set(leaf, clusters);
    const { cluster, similarity } = nearest(clusters, words);
    if (cluster && (similarity >= similarityMin || clusters.length >= clustersMax)) {
      cluster.words = cluster.words.map((word, index) => (word === words[index] ? word : wildcard));
      return cluster;
    }
    const made = { words, count: 0, example, longest: 0 };
    clusters.push(made);
    return made;
  }
}

function wordsOf(masked: string): string[] {
  const words = masked.split(blanks, wordsMax + 2);
  // Before a blank at the beginning, and behind one at the end.
  if (words.length > 1 && words[0] === '') words.shift();
  if (words.length > 1 && words.at(-1) === '') words.pop();
  return words.length > wordsMax ? [...words.slice(0, wordsMax), wildcard] : words;
}

function nearest(clusters: readonly Cluster[], words: readonly string[]) {
  let cluster: Cluster | undefined;
  let similarity = -1;
  for (const each of clusters) {
    const found = similarityOf(each.words, words);
    if (found > similarity) [cluster, similarity] = [each, found];
  }
  return { cluster, similarity };
}

/** The share of words that are equal. A wildcard of the pattern is equal only to one of the text. */
function similarityOf(pattern: readonly string[], words: readonly string[]): number {
  let equal = 0;
  for (let at = 0; at < words.length; at++) if (pattern[at] === words[at]) equal += 1;
  return equal / words.length;
}

import type { Clock } from './clock.ts';

interface Kept<Answer> {
  untilMs: number;
  answer: Promise<Answer>;
}

/** Remembers answers for a moment; callers who ask the same at the same time share one question. Failures are not kept. */
export class RecentAnswers<Answer> {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #keptMax: number;
  readonly #kept = new Map<string, Kept<Answer>>();

  constructor(clock: Clock, { keepMs, keptMax }: { keepMs: number; keptMax: number }) {
    this.#clock = clock;
    this.#keepMs = keepMs;
    this.#keptMax = keptMax;
  }

  get(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    const kept = this.#kept.get(key);
    if (kept && this.#clock.nowMs() < kept.untilMs) return kept.answer;
    const answer = ask();
    this.#kept.delete(key);
    this.#makeRoom();
    this.#kept.set(key, { untilMs: this.#clock.nowMs() + this.#keepMs, answer });
    answer.catch(() => {
      if (this.#kept.get(key)?.answer === answer) this.#kept.delete(key);
    });
    return answer;
  }

  #makeRoom(): void {
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < this.#keptMax) return;
      this.#kept.delete(oldest);
    }
  }
}

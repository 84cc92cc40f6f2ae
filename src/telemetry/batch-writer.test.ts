import { describe, expect, it } from 'vitest';
import { FakeClock } from '../kernel/fake-clock.ts';
import type { Ids } from '../kernel/ids.ts';
import { type BatchEvent, type BatchLimits, BatchWriter } from './batch-writer.ts';
import { type EncodedBlock, SinkFullError, TelemetryError, type TelemetryTable } from './ports.ts';
import { RecordingInserter } from './testing.ts';

/** A block of `rows` rows, recognisable by its text. */
function block(text: string, rows = 1, table: TelemetryTable = 'otel_logs'): EncodedBlock {
  const bytes = Buffer.from(text);
  return { table, rows, bytes, digest: `digest of ${text}` };
}

function setUp(limits: Partial<BatchLimits> = {}) {
  const clock = new FakeClock();
  const inserter = new RecordingInserter();
  const events: BatchEvent[] = [];
  let made = 0;
  const ids: Ids = { hex24: () => 'x', secret: () => 'x', uuid: () => `id-${++made}` };
  const writer = new BatchWriter({ inserter, clock, ids, limits, onEvent: (event) => events.push(event) });
  /** Adds, and reports later how it ended. */
  const add = (...blocks: EncodedBlock[]) => {
    const state = { outcome: 'waiting' as unknown };
    writer.add('otel', blocks).then(
      () => {
        state.outcome = 'committed';
      },
      (reason: unknown) => {
        state.outcome = reason;
      },
    );
    return state;
  };
  const written = () => inserter.attempts.map(({ blocks }) => blocks.map((bytes) => Buffer.from(bytes).toString()));
  const tokensUsed = () => inserter.attempts.map(({ token }) => token);
  return { clock, inserter, events, writer, add, written, tokensUsed };
}

/** A store whose answers the test gives one by one. */
function holdAnswers(inserter: RecordingInserter) {
  const answers: { resolve: () => void; reject: (reason: Error) => void }[] = [];
  inserter.answer = () => new Promise((resolve, reject) => answers.push({ resolve, reject }));
  return answers;
}

const away = () => new TelemetryError('unavailable', 'away');

describe('when a batch is written', () => {
  it('reports how long its oldest row waited', async () => {
    const { clock, inserter, events, add } = setUp();
    const answers = holdAnswers(inserter);
    add(block('a'));
    await clock.advance(150);
    add(block('b'));
    await clock.advance(100);
    answers[0]?.resolve();
    await clock.advance(0);
    expect(events).toEqual([{ kind: 'inserted', table: 'otel_logs', rows: 2, bytes: 2, requests: 2, ageMs: 250 }]);
  });

  it('decisions E3: after 200 ms at the latest, several requests in one insert', async () => {
    const { clock, add, written } = setUp();
    const first = add(block('a'));
    await clock.advance(150);
    const second = add(block('b'), block('c'));
    expect(written()).toEqual([]);
    await clock.advance(50);
    expect(written()).toEqual([['a', 'b', 'c']]);
    expect([first.outcome, second.outcome]).toEqual(['committed', 'committed']);
  });

  it.each([
    ['rows', { batchRowsMax: 10 }, block('a', 10)],
    ['bytes', { batchBytesMax: 4 }, block('aaaa')],
  ] as const)('immediately once it has enough %s', async (_, limits, full) => {
    const { clock, add, written } = setUp(limits);
    add(full);
    await clock.advance(0);
    expect(written()).toHaveLength(1);
  });

  it('never larger than its limits, unless one request is', async () => {
    const { clock, add, written } = setUp({ batchRowsMax: 10, insertsPerTableMax: 1 });
    for (const [text, rows] of [
      ['a', 6],
      ['b', 3],
      ['c', 4],
      ['d', 25],
      ['e', 1],
    ] as const)
      add(block(text, rows));
    await clock.advance(200);
    expect(written()).toEqual([['a', 'b'], ['c'], ['d'], ['e']]);
  });

  it('tables and databases do not mix; one request may have several', async () => {
    const { clock, inserter, add, writer } = setUp();
    const request = add(block('log'), block('sum', 1, 'otel_metrics_sum'));
    const other = writer.add('otel_2', [block('theirs')]);
    await clock.advance(200);
    await other;
    const targets = inserter.attempts.map(({ database, table, blocks }) => [database, table, String(blocks[0])]);
    expect(targets).toEqual([
      ['otel', 'otel_logs', 'log'],
      ['otel', 'otel_metrics_sum', 'sum'],
      ['otel_2', 'otel_logs', 'theirs'],
    ]);
    expect(request.outcome).toBe('committed');
  });

  it('a request without blocks is done', async () => {
    const { writer } = setUp();
    await writer.add('otel', []);
  });
});

describe('a slow store', () => {
  it('answers a request only after its rows are committed', async () => {
    const { clock, inserter, add } = setUp();
    const answers = holdAnswers(inserter);
    const request = add(block('a'));
    await clock.advance(10_000);
    expect(request.outcome).toBe('waiting');
    answers[0]?.resolve();
    await clock.advance(0);
    expect(request.outcome).toBe('committed');
  });

  it('gets a few inserts at a time; what waits meanwhile goes in one', async () => {
    const { clock, inserter, add, written } = setUp({ insertsPerTableMax: 2 });
    const answers = holdAnswers(inserter);
    for (const text of ['a', 'b', 'c', 'd']) {
      add(block(text));
      await clock.advance(200);
    }
    expect(written()).toEqual([['a'], ['b']]);
    answers[0]?.resolve();
    await clock.advance(0);
    expect(written()).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  it('is shared fairly: a busy table moves behind the others after each turn', async () => {
    const { clock, inserter, add, written } = setUp({ insertsPerTableMax: 1, insertsMax: 1, batchRowsMax: 1 });
    const answers = holdAnswers(inserter);
    for (const text of ['a', 'b', 'c']) add(block(text));
    add(block('span', 1, 'otel_traces'));
    await clock.advance(200);
    for (const at of [0, 1]) {
      answers[at]?.resolve();
      await clock.advance(0);
    }
    expect(written()).toEqual([['a'], ['b'], ['span']]);
  });

  it('full buffers reject immediately and accept again once there is room', async () => {
    const { clock, inserter, events, add, writer } = setUp({ heldBytesMax: 10 });
    const answers = holdAnswers(inserter);
    const held = add(block('12345678'));
    await clock.advance(200);
    const refused = add(block('abc'));
    await clock.advance(0);
    expect(refused.outcome).toBeInstanceOf(SinkFullError);
    expect(events).toContainEqual({ kind: 'full' });
    answers[0]?.resolve();
    await clock.advance(0);
    expect([held.outcome, writer.heldBytes]).toEqual(['committed', 0]);
    const later = add(block('abc'));
    await clock.advance(200);
    answers[1]?.resolve();
    await clock.advance(0);
    expect(later.outcome).toBe('committed');
  });

  it('a request larger than all the room is let in when nothing else is held', async () => {
    const { clock, add } = setUp({ heldBytesMax: 2 });
    const request = add(block('abc'));
    await clock.advance(200);
    expect(request.outcome).toBe('committed');
  });
});

describe('a failing store', () => {
  it.each(['unavailable', 'timeout', 'limit', 'cancelled'] as const)(
    'decisions E1: an insert that ended as %s is tried again, the same blocks with the same token',
    async (kind) => {
      const { clock, inserter, events, add, written, tokensUsed } = setUp();
      inserter.answer = (_, attempt) => {
        if (attempt < 3) throw new TelemetryError(kind, 'away');
      };
      const request = add(block('a'), block('b'));
      await clock.advance(5_000);
      expect(request.outcome).toBe('committed');
      expect(written()).toEqual(Array(4).fill(['a', 'b']));
      expect(new Set(tokensUsed()).size).toBe(1);
      expect(events.map((event) => event.kind)).toEqual(['retried', 'retried', 'retried', 'inserted']);
    },
  );

  it('lets the sender try again after a while, so that it can keep the rows', async () => {
    const { clock, inserter, add, writer } = setUp({ retryForMs: 10_000, aloneRowsMin: 100 });
    inserter.answer = () => {
      throw away();
    };
    const requests = [add(block('large', 100)), add(block('small', 99))];
    await clock.advance(9_000);
    expect(requests).toEqual([{ outcome: 'waiting' }, { outcome: 'waiting' }]);
    await clock.advance(3_000);
    for (const { outcome } of requests) expect(outcome).toMatchObject({ kind: 'unavailable' });
    // Only what was written together has to be kept as it was.
    expect(writer.heldBytes).toBe('small'.length);
  });

  it('one bad block does not fail its neighbours; each is tried alone under a separate token', async () => {
    const { clock, inserter, events, add, written, tokensUsed } = setUp();
    inserter.answer = ({ blocks }) => {
      if (blocks.some((bytes) => String(bytes) === 'bad')) throw new TelemetryError('failed', 'bad block', 33);
    };
    const [good, bad, alsoGood] = [add(block('a')), add(block('bad', 7)), add(block('c'))];
    await clock.advance(200);
    expect(written()).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
    expect(new Set(tokensUsed()).size).toBe(4);
    expect([good.outcome, alsoGood.outcome]).toEqual(['committed', 'committed']);
    expect(bad.outcome).toMatchObject({ kind: 'failed', engineCode: 33 });
    expect(events.filter(({ kind }) => kind === 'rejected')).toMatchObject([{ rows: 7, reason: { engineCode: 33 } }]);
  });

  it('a request fails if one of its tables does', async () => {
    const { clock, inserter, add } = setUp();
    inserter.answer = ({ table }) => {
      if (table === 'otel_traces') throw new TelemetryError('failed', 'no');
    };
    const request = add(block('a'), block('b', 1, 'otel_traces'));
    await clock.advance(200);
    expect(request.outcome).toMatchObject({ kind: 'failed' });
  });

  it('an error that is no TelemetryError counts as a rejection', async () => {
    const { clock, inserter, add } = setUp();
    inserter.answer = () => {
      throw new RangeError('unexpected');
    };
    const request = add(block('a'));
    await clock.advance(200);
    expect(request.outcome).toBeInstanceOf(TelemetryError);
    expect(request.outcome).toMatchObject({ kind: 'failed' });
  });
});

describe('a request that comes again', () => {
  it('while the first one waits or is being written is answered with it', async () => {
    const { clock, inserter, events, add, written } = setUp();
    const answers = holdAnswers(inserter);
    const requests = [add(block('a')), add(block('a'))];
    await clock.advance(200);
    requests.push(add(block('a')));
    await clock.advance(200);
    expect(written()).toEqual([['a']]);
    answers[0]?.resolve();
    await clock.advance(0);
    expect(requests.map(({ outcome }) => outcome)).toEqual(Array(3).fill('committed'));
    expect(events.map(({ kind }) => kind)).toEqual(['repeated', 'repeated', 'inserted']);
  });

  it('after the first one was committed is committed, until that is forgotten', async () => {
    const { clock, add, written } = setUp({ rememberForMs: 60_000 });
    add(block('a'));
    await clock.advance(30_000);
    const again = add(block('a'));
    await clock.advance(0);
    expect([again.outcome, written()]).toEqual(['committed', [['a']]]);
    await clock.advance(200_000);
    add(block('a'));
    await clock.advance(200);
    expect(written()).toEqual([['a'], ['a']]);
  });

  it('is another one if its rows have the time of their arrival', async () => {
    const { clock, add, written } = setUp();
    const { digest: _, ...stamped } = block('a');
    const requests = [add(stamped), add(stamped)];
    await clock.advance(200);
    expect(written()).toEqual([['a', 'a']]);
    expect(requests.map(({ outcome }) => outcome)).toEqual(['committed', 'committed']);
  });

  it('belongs to its tenant and table', async () => {
    const { clock, writer, add, written } = setUp();
    add(block('a'));
    add(block('a', 1, 'otel_traces'));
    const theirs = writer.add('otel_2', [block('a')]);
    await clock.advance(200);
    await theirs;
    expect(written()).toEqual([['a'], ['a'], ['a']]);
  });

  it('takes no room in full buffers', async () => {
    const { clock, inserter, add } = setUp({ heldBytesMax: 4 });
    const answers = holdAnswers(inserter);
    add(block('abcd'));
    await clock.advance(200);
    const again = add(block('abcd'));
    answers[0]?.resolve();
    await clock.advance(0);
    expect(again.outcome).toBe('committed');
  });

  it('when it is in doubt whether its batch was stored, waits for that batch, which is tried on as it was', async () => {
    const { clock, inserter, add, written, tokensUsed, writer } = setUp({ retryForMs: 1_000 });
    inserter.answer = () => {
      throw away();
    };
    const first = [add(block('a')), add(block('b'))];
    await clock.advance(5_000);
    for (const { outcome } of first) expect(outcome).toMatchObject({ kind: 'unavailable' });
    const again = add(block('a'));
    add(block('c'));
    await clock.advance(300);
    inserter.answer = () => {};
    await clock.advance(30_000);
    expect(again.outcome).toBe('committed');
    const together = tokensUsed().filter((_, at) => written()[at]?.join() === 'a,b');
    expect(new Set(together).size).toBe(1);
    expect(written().filter((blocks) => blocks.includes('a') && blocks.length !== 2)).toEqual([]);
    const other = add(block('b'));
    await clock.advance(0);
    expect([other.outcome, writer.heldBytes]).toEqual(['committed', 0]);
  });

  it('to another process has the same token if it is large: it is written alone, without waiting for company', async () => {
    const tokens: string[] = [];
    for (const others of [['b'], ['c', 'd']]) {
      const { clock, add, written, tokensUsed } = setUp({ aloneRowsMin: 100 });
      for (const text of others) add(block(text));
      add(block('a', 100));
      await clock.advance(0);
      expect(written()).toEqual([['a']]);
      await clock.advance(200);
      expect(written()).toEqual([['a'], others]);
      tokens.push(...tokensUsed().slice(0, 1));
    }
    expect(new Set(tokens).size).toBe(1);
  });

  it('is not waited for longer than senders send again', async () => {
    const { clock, inserter, add, writer } = setUp({ retryForMs: 1_000, rememberForMs: 60_000 });
    inserter.answer = () => {
      throw away();
    };
    add(block('a'));
    await clock.advance(80_000);
    expect(writer.heldBytes).toBe(0);
  });
});

describe('stopping', () => {
  it('flush writes what waits and resolves when it is committed', async () => {
    const { clock, inserter, writer, add, written } = setUp();
    const answers = holdAnswers(inserter);
    const request = add(block('a'));
    let flushed = false;
    const flushing = writer.flush().then(() => {
      flushed = true;
    });
    await clock.advance(0);
    expect([written(), flushed]).toEqual([[['a']], false]);
    answers[0]?.resolve();
    await flushing;
    expect(request.outcome).toBe('committed');
  });

  it('close takes nothing more', async () => {
    const { writer, add, written } = setUp();
    add(block('a'));
    await writer.close();
    expect(written()).toEqual([['a']]);
    await expect(writer.add('otel', [block('b')])).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('close waits for an absent store for its grace period only', async () => {
    const { clock, inserter, writer, add } = setUp({ retryForMs: 60_000 });
    inserter.answer = () => {
      throw away();
    };
    const request = add(block('a'));
    const closing = writer.close(1_000);
    await clock.advance(2_000);
    await closing;
    expect(request.outcome).toMatchObject({ kind: 'unavailable' });
  });
});

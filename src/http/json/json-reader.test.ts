import { describe, expect, it } from 'vitest';
import { AppError } from '../../contract/errors.ts';
import { TaskStoppedError, type Workers, WorkersBusyError } from '../../kernel/workers.ts';
import { JsonReader, readHereBytesMax } from './json-reader.ts';
import { readJson } from './read-json.ts';

/** Runs tasks here, as a thread would: input and output are cloned. */
class RecordingWorkers implements Workers {
  readonly tenants: string[] = [];
  failure: Error | undefined;

  async run<Input, Output>(...[task, input, { tenantId }]: Parameters<Workers['run']>): Promise<Output> {
    this.tenants.push(tenantId);
    if (this.failure) throw this.failure;
    // The task is the one that was ordered.
    return structuredClone(await task.run(structuredClone(input) as Input)) as Output;
  }
}

const large = (rest: string) => Buffer.from(`{"filler":"${'x'.repeat(readHereBytesMax)}",${rest}}`);

async function rejectionOf(work: Promise<unknown>): Promise<AppError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof AppError) return error;
  throw new Error('nothing was refused');
}

describe('reading bodies', () => {
  it('reads small ones here and large ones elsewhere, for the tenant', async () => {
    const workers = new RecordingWorkers();
    const reader = new JsonReader(workers);
    expect(await reader.read(Buffer.from('{"a":1}'), 'ada')).toEqual({ a: 1 });
    expect(workers.tenants).toEqual([]);
    expect(await reader.read(large('"a":[1]'), 'bob')).toMatchObject({ a: [1] });
    expect(workers.tenants).toEqual(['bob']);
  });

  it('says of large ones what it says of small ones', async () => {
    const reader = new JsonReader(new RecordingWorkers());
    for (const rest of ['"a":', '"a":1e999', '"a":"\\ud800"']) {
      const { code, publicText } = await rejectionOf(reader.read(large(rest), 'ada'));
      const asSmall = await rejectionOf(Promise.resolve().then(() => readJson(large(rest))));
      expect([code, publicText]).toEqual(['json_invalid', asSmall.publicText]);
    }
  });

  it.each([new WorkersBusyError(), new TaskStoppedError('closed')])('asks to come again: %s', async (failure) => {
    const workers = new RecordingWorkers();
    workers.failure = failure;
    const rejection = await rejectionOf(new JsonReader(workers).read(large('"a":1'), 'ada'));
    expect([rejection.code, rejection.retryAfterSeconds]).toEqual(['overloaded', 1]);
  });
});

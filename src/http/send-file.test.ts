import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../contract/errors.ts';
import { operation } from './operation.ts';
import { TestApi } from './testing.ts';

const part = `${'x'.repeat(1_000_000)}\n`;
const partsMax = 100;

/** One that answers a file, and what became of it. */
class FileApi {
  produced = 0;
  ended: 'whole' | 'early' | undefined;
  aborted = false;
  readonly api: TestApi;

  constructor(failAfter = Number.POSITIVE_INFINITY) {
    const getFile = operation({
      id: 'getFile',
      method: 'GET',
      path: '/file',
      flavours: ['selfHosted'],
      summary: 'A file.',
      tag: 'Files',
      role: 'read',
      answer: { kind: 'file', mediaTypes: ['text/plain'], headers: { 'X-Rows': 'Rows.' } },
      errors: [],
      handle: async ({ signal }) => {
        signal.addEventListener('abort', () => {
          this.aborted = true;
        });
        const parts = this.#parts(failAfter);
        return { kind: 'file', mediaType: 'text/plain', fileName: 'a.txt', headers: { 'X-Rows': '3' }, parts };
      },
    });
    this.api = new TestApi('selfHosted', [getFile]);
  }

  async *#parts(failAfter: number): AsyncGenerator<string> {
    try {
      for (; this.produced < partsMax; this.produced++) {
        if (this.produced === failAfter) throw new AppError('query_timeout', { internal: 'timeout' });
        yield part;
      }
    } finally {
      this.ended = this.produced < partsMax ? 'early' : 'whole';
    }
  }

  async get(signal?: AbortSignal): Promise<Response> {
    await this.api.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = this.api.server.server.address() as AddressInfo;
    const headers = { authorization: 'Bearer admin' };
    return fetch(`http://127.0.0.1:${port}/api/v2/file`, { headers, ...(signal && { signal }) });
  }
}

describe('an answer that is a file', () => {
  let files: FileApi;
  afterEach(async () => {
    // The client keeps one open.
    files.api.server.server.closeAllConnections();
    await files.api.server.close();
  });

  it('has its type, name and headers, and no envelope', async () => {
    files = new FileApi();
    const answer = await files.get();
    expect(answer.headers.get('content-type')).toBe('text/plain');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="a.txt"');
    expect(answer.headers.get('x-rows')).toBe('3');
    expect((await answer.text()).length).toBe(partsMax * part.length);
    expect(files.ended).toBe('whole');
  });

  it('is made as fast as the client takes it', async () => {
    files = new FileApi();
    const answer = await files.get();
    const reader = answer.body?.getReader();
    let read = 0;
    let ahead = 0;
    for (;;) {
      const chunk = await reader?.read();
      if (!chunk?.value) break;
      read += chunk.value.byteLength;
      ahead = Math.max(ahead, files.produced - read / part.length);
    }
    expect(read).toBe(partsMax * part.length);
    // What the sockets and both programs hold on the way.
    expect(ahead).toBeLessThan(partsMax / 2);
  });

  it('that fails midway never looks whole, and the log says why', async () => {
    files = new FileApi(5);
    const answer = await files.get();
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
    expect(files.api.logger.lines).toContainEqual(
      expect.objectContaining({ fields: expect.objectContaining({ code: 'query_timeout', detail: 'timeout' }) }),
    );
  });

  it('stops when the client goes away', async () => {
    files = new FileApi();
    const leaving = new AbortController();
    const answer = await files.get(leaving.signal);
    await answer.body?.getReader().read();
    leaving.abort();
    await expect.poll(() => files.aborted).toBe(true);
    await expect.poll(() => files.ended).toBe('early');
    expect(files.produced).toBeLessThan(partsMax);
  });

  it('is documented with its types and headers', async () => {
    files = new FileApi();
    const { json } = await files.api.sendTo('GET', '/api/v2/openapi.json', { key: 'none' });
    expect(json).toMatchObject({
      paths: {
        '/api/v2/file': {
          get: {
            responses: {
              200: {
                content: { 'text/plain': { schema: { type: 'string' } } },
                headers: { 'X-Rows': { description: 'Rows.' } },
              },
            },
          },
        },
      },
    });
  });
});

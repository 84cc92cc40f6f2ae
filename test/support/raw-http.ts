import { request } from 'node:http';

export interface RawRequest {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent byte for byte. */
  text?: string;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Parsed as loosely as the replayed clients do. */
  json: ReturnType<typeof JSON.parse>;
}

/** One HTTP exchange with exactly these headers, as clients written in other languages send it. */
export function exchange(origin: string, { method, path, headers = {}, text }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const body = Buffer.concat(chunks).toString();
        const isJson = String(answer.headers['content-type']).startsWith('application/json');
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: body,
          json: isJson ? JSON.parse(body) : undefined,
        });
      });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** A client with headers that it sends each time, below one base path. */
export class RawClient {
  readonly #origin: string;
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(origin: string, base: string, headers: Record<string, string>) {
    [this.#origin, this.#base, this.#headers] = [origin, base, headers];
  }

  /** `text` goes as JSON, byte for byte; `headers` come on top. */
  send(method: string, path: string, text?: string, headers: Record<string, string> = {}): Promise<RawAnswer> {
    const type = text === undefined ? {} : { 'content-type': 'application/json' };
    const all = { ...this.#headers, ...type, ...headers };
    return exchange(this.#origin, {
      method,
      path: this.#base + path,
      headers: all,
      ...(text === undefined ? {} : { text }),
    });
  }
}

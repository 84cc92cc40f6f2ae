import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Semaphore } from '../kernel/semaphore.ts';
import { quoteText } from '../kernel/sql-quoting.ts';
import type { Answer, ChdbEngine } from './chdb-engine.ts';
import { EngineError, httpStatusOf } from './engine-error.ts';
import {
  type HttpStatement,
  isFreeze,
  parseHttpStatement,
  rejectInlineData,
  splitInsert,
  splitShapedInsert,
} from './http-statement.ts';
import type { InsertBodies } from './insert-body.ts';

/** Parameters travel in the address, as long texts sometimes. */
const headerBytesMax = 1024 * 1024;

/**
 * The part of the ClickHouse HTTP interface that our client uses, on loopback. Unlike ClickHouse it sends nothing
 * before a statement has ended, so a status of 200 always precedes a complete answer.
 */
export class EngineServer {
  readonly #engine: ChdbEngine;
  readonly #bodies: InsertBodies;
  readonly #secretHash: Buffer;
  readonly #statements: Semaphore;
  readonly #server: Server;

  constructor(options: { engine: ChdbEngine; bodies: InsertBodies; secret: string; concurrencyMax: number }) {
    this.#engine = options.engine;
    this.#bodies = options.bodies;
    this.#secretHash = hash(options.secret);
    this.#statements = new Semaphore(options.concurrencyMax);
    this.#server = createServer(
      { maxHeaderSize: headerBytesMax },
      (request, response) => void this.#answer(request, response),
    );
    // The parent pools connections; idle ones must outlive its pauses.
    this.#server.keepAliveTimeout = 60_000;
    this.#server.requestTimeout = 0;
  }

  /** Listens on a free loopback port and returns it. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(0, '127.0.0.1', resolve);
    });
    // The address of a server that listens on a port is not a path.
    return (this.#server.address() as AddressInfo).port;
  }

  /** Takes no more requests; resolves when those that run have been answered. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    try {
      if (request.url === '/ping') return void response.end('Ok.\n');
      this.#authenticate(request);
      const statement = parseHttpStatement(request);
      sendAnswer(response, await this.#run(request, statement, gone.signal));
    } catch (error) {
      sendError(response, EngineError.from(error));
      request.resume();
    }
  }

  #authenticate(request: IncomingMessage): void {
    const key = request.headers['x-clickhouse-key'];
    if (typeof key === 'string' && timingSafeEqual(hash(key), this.#secretHash)) return;
    throw new EngineError('Authentication failed', 516);
  }

  async #run(request: IncomingMessage, statement: HttpStatement, signal: AbortSignal): Promise<Answer> {
    const shaped = splitShapedInsert(statement.query);
    if (shaped) return this.#bodies.withFile(request, (path) => this.#execute(shaped(path), statement, signal, true));
    const insert = splitInsert(statement.query);
    if (!insert) {
      const body = request.method === 'POST' ? await text(request) : '';
      const sql = [statement.query, body].filter((part) => part !== '').join('\n');
      return this.#execute(sql, statement, signal);
    }
    return this.#bodies.withFile(request, (path) => {
      const sql = `${insert.target} FROM INFILE ${quoteText(path)} FORMAT ${insert.format}`;
      return this.#execute(sql, statement, signal);
    });
  }

  /** `isShaped`: into a function, which the engine calls control; only `null` gets here. */
  async #execute(sql: string, statement: HttpStatement, signal: AbortSignal, isShaped = false): Promise<Answer> {
    rejectInlineData(sql);
    return this.#statements.run(async () => {
      if (signal.aborted) throw new EngineError('Query was cancelled', 394);
      const statementClass = await this.#engine.classify(sql);
      if (statementClass === 'control' && !isFreeze(sql) && !isShaped) {
        throw new EngineError('Control statements are not served', 48);
      }
      const { database, format, params, settings } = statement;
      return this.#engine.run({ sql, format, params, settings, ...(database ? { database } : {}) }, signal);
    });
  }
}

function sendAnswer(response: ServerResponse, answer: Answer): void {
  const summary = { result_rows: String(answer.resultRows), elapsed_ns: String(Math.round(answer.elapsedMs * 1e6)) };
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': answer.bytes.byteLength,
    'X-ClickHouse-Summary': JSON.stringify(summary),
  });
  response.end(answer.bytes);
}

function sendError(response: ServerResponse, error: EngineError): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(httpStatusOf(error.code), {
    'Content-Type': 'text/plain; charset=UTF-8',
    'X-ClickHouse-Exception-Code': error.code,
  });
  response.end(error.toResponseText());
}

function hash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

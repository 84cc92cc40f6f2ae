import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { jsonType } from './answer-failure.ts';
import type { Flavour } from './flavours/flavour.ts';
import { documentPage } from './openapi/document-page.ts';
import { interfaceDocument } from './openapi/interface-document.ts';
import type { Operation } from './operation.ts';

/** What of the program can do its work right now. Anybody may read it: no host, path or text of another system. */
export interface ReadinessReport {
  parts: Readonly<Record<string, 'ready' | 'unavailable'>>;
  /** By part, a sentence; only of parts that are unavailable. */
  reasons?: Readonly<Record<string, string>>;
  /** What needs attention although everything works. */
  warnings?: readonly string[];
}

/** Port: which parts of the program can do their work right now. */
export interface Readiness {
  report(): Promise<ReadinessReport>;
}

export interface ServiceRoutesOptions {
  readiness: Readiness;
  metrics: Registry;
  version: string;
}

export interface DocumentOptions {
  flavour: Flavour;
  /** Those that the document shows. */
  operations: readonly Operation[];
}

/** Routes without a key: health, readiness and metrics. */
export function mountServiceRoutes(app: FastifyInstance, options: ServiceRoutesOptions): void {
  const { readiness, metrics, version } = options;
  app.get('/health', (_request, reply) => reply.type(jsonType).send(JSON.stringify({ status: 'ok', version })));
  app.get('/ready', async (_request, reply) => {
    const report = await readiness.report();
    const ready = Object.values(report.parts).every((state) => state === 'ready');
    const body = JSON.stringify({ status: ready ? 'ready' : 'unavailable', ...report });
    return reply
      .code(ready ? 200 : 503)
      .type(jsonType)
      .send(body);
  });
  app.get('/metrics', async (_request, reply) => reply.type(metrics.contentType).send(await metrics.metrics()));
}

/** The interface document of this flavour and its readable page; no key needed. */
export function mountDocument(app: FastifyInstance, { flavour, operations }: DocumentOptions): void {
  const { documentPath } = flavour;
  const root = documentPath.slice(0, documentPath.lastIndexOf('/'));
  const document = interfaceDocument(flavour, operations);
  const json = JSON.stringify(document);
  const page = documentPage(document, documentPath);
  app.get(documentPath, (_request, reply) => reply.type(jsonType).send(json));
  app.get(`${root}/docs.json`, (_request, reply) => reply.type(jsonType).send(json));
  app.get(`${root}/docs`, (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
  const about = JSON.stringify({ version: root.slice(root.lastIndexOf('/') + 1), documentation: `${root}/docs` });
  app.get(root, (_request, reply) => reply.type(jsonType).send(about));
}

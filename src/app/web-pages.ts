import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { Flavour } from '../http/flavours/flavour.ts';
import type { FlavourName } from '../http/operation.ts';

/** One file of the built pages, as it is and compressed. */
interface Asset {
  type: string;
  plain: Buffer;
  br?: Buffer;
  gzip?: Buffer;
}

export interface WebPagesOptions {
  flavour: FlavourName;
  /** Sub-path under which browsers see the pages, with slashes at both ends: `/` or `/observability/`. */
  basePath: string;
  /** Where programs send OTLP/HTTP to: a URL, or `http:<port>` on the host of the pages; nothing where it is not known. */
  otlpHttp: () => string | undefined;
}

/**
 * Pages of a flavour as browsers see them at `publicUrl` (`SIGNALBOX_PUBLIC_URL`; absent = at the root).
 * `collector`: where the collector of this process listens, once it does.
 */
export function webPagesOf(
  flavour: Flavour,
  { publicUrl, otlpPublicUrl }: Pick<Config, 'publicUrl' | 'otlpPublicUrl'>,
  collector: () => string | undefined = () => undefined,
): WebPagesOptions {
  const path = publicUrl === undefined ? '/' : new URL(publicUrl).pathname;
  return {
    flavour: flavour.name,
    basePath: path.endsWith('/') ? path : `${path}/`,
    otlpHttp: () => otlpPublicUrl ?? portOf(collector()),
  };
}

function portOf(address: string | undefined): string | undefined {
  return address === undefined ? undefined : `http:${new URL(address).port}`;
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const yearS = 31_536_000;
/** Paths of the API and of operations: no page answers for them, so that clients see that nothing is served there. */
const notPages = /^\/(api|v1|health|ready|metrics)(\/|$)/;

const securityHeaders = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' };

/**
 * Adds the web pages to a server: hashed files that never change, and the one page for every other address, because
 * the pages find their way in the browser.
 */
export function mountPages(server: FastifyInstance, options: WebPagesOptions): void {
  const folder = join(import.meta.dirname, 'web');
  const assets = readAssets(folder);
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  server.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
    const { name } = request.params;
    const asset = assets.get(`assets/${name}`);
    if (!asset) return reply.callNotFound();
    reply.header('cache-control', `public, max-age=${yearS}, immutable`);
    return sendAsset(asset, request, reply);
  });
  server.get('/favicon.svg', (request, reply) => {
    const asset = assets.get('favicon.svg');
    if (!asset) return reply.callNotFound();
    reply.header('cache-control', 'public, max-age=86400');
    return sendAsset(asset, request, reply);
  });
  server.get('/*', (request, reply) => {
    const path = request.url.replace(/\?.*$/s, '');
    if (notPages.test(path)) return reply.callNotFound();
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({
        ...securityHeaders,
        'content-security-policy': contentSecurityPolicy(nonce),
        'cache-control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(fillPage(page, nonce, options));
  });
}

/** Nothing from other hosts, no inline script, styles made at run time only with this answer's nonce, no framing. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function fillPage(page: string, nonce: string, { flavour, basePath, otlpHttp }: WebPagesOptions): string {
  return page
    .replace('<base href="/" />', () => `<base href="${escapeAttribute(basePath)}" />`)
    .replace('content="self-hosted"', `content="${flavour === 'managed' ? 'managed' : 'self-hosted'}"`)
    .replace(/(?<=name="signalbox-otlp-http" content=")(?=")/, () => escapeAttribute(otlpHttp() ?? ''))
    .replace(/(name="signalbox-style-nonce" content=")"/, `$1${nonce}"`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** The files are part of the program: read once, kept in memory with the compressed forms that the build made. */
function readAssets(folder: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const type = types[extname(name)];
    if (!type) continue;
    const file = join(folder, name);
    assets.set(name.replaceAll('\\', '/'), { type, plain: readFileSync(file), ...compressedForms(file) });
  }
  return assets;
}

function compressedForms(file: string): Pick<Asset, 'br' | 'gzip'> {
  return {
    ...(existsSync(`${file}.br`) ? { br: readFileSync(`${file}.br`) } : {}),
    ...(existsSync(`${file}.gz`) ? { gzip: readFileSync(`${file}.gz`) } : {}),
  };
}

function sendAsset({ type, plain, br, gzip }: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const accepted = request.headers['accept-encoding'] ?? '';
  reply.headers({ ...securityHeaders, vary: 'accept-encoding' }).type(type);
  if (br && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(br);
  if (gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(gzip);
  return reply.send(plain);
}

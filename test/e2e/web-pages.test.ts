import { gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningProgram, startProgram } from '../support/start-program.ts';

let program: RunningProgram;

beforeAll(async () => {
  program = await startProgram({ env: { SIGNALBOX_PUBLIC_URL: 'https://example.org/observe' } });
});

afterAll(() => program.stop());

/** As on the wire: `fetch` would take the compression off. */
async function get(path: string, headers: Record<string, string> = {}) {
  const answer = await request(program.addresses.web + path, { headers });
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.from(await answer.body.arrayBuffer()) };
}

async function scriptPath(): Promise<string> {
  const page = (await get('/dashboards')).body.toString();
  return /src="\.\/(assets\/[^"]+\.js)"/.exec(page)?.[1] ?? '';
}

describe('behind a proxy, under a sub-path (U-101, U-102)', () => {
  it.each(['/observe/dashboards/abc', '/dashboards/abc'])(
    'the page at %s loads everything from below the sub-path, whether or not the proxy took it off',
    async (path) => {
      const { status, body } = await get(path);
      expect(status).toBe(200);
      expect(body.toString()).toContain('<base href="/observe/" />');
      expect(body.toString()).not.toMatch(/(src|href)="(https?:|\/assets)/);
    },
  );

  it.each(['/observe/', '/'])('API and assets answer below %s', async (base) => {
    const path = await scriptPath();
    expect((await get(base + path)).status).toBe(200);
    expect((await get(`${base}api/v2/session`)).status).toBe(200);
    expect((await get(`${base}health`)).status).toBe(200);
  });
});

describe('files', () => {
  it('have hashed names, may be kept for ever and are sent compressed', async () => {
    const path = await scriptPath();
    expect(path).toMatch(/-[\w-]{8,}\.js$/);
    const plain = await get(`/${path}`);
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['x-content-type-options']).toBe('nosniff');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const zipped = await get(`/${path}`, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.body).equals(plain.body)).toBe(true);
    const brotli = await get(`/${path}`, { 'accept-encoding': 'gzip, br' });
    expect(brotli.headers['content-encoding']).toBe('br');
  });

  it('named in the page are at most 250 kB of compressed script', async () => {
    const page = (await get('/')).body.toString();
    const names = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? '');
    const sizes = await Promise.all(
      names.map(async (name) => (await get(`/${name}`, { 'accept-encoding': 'gzip' })).body.length),
    );
    expect(names.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  it.each(['/assets/../index.html', '/assets/%2e%2e%2f%2e%2e%2fmain.js', '/assets/none.js'])(
    '%s is nothing',
    async (path) => expect((await get(path)).body.toString()).not.toContain('import'),
  );
});

describe('the page', () => {
  it('lets nothing of other hosts in, no inline script, and may not be framed', async () => {
    const { headers } = await get('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('reports where the collector takes OTLP/HTTP: at the port that it really listens on', async () => {
    const port = new URL(program.addresses.otlpHttp).port;
    expect((await get('/settings')).body.toString()).toContain(`name="signalbox-otlp-http" content="http:${port}"`);
  });

  it('has a new nonce each time', async () => {
    const [one, two] = [await get('/'), await get('/')].map(({ headers }) => headers['content-security-policy']);
    expect(one).not.toBe(two);
  });

  it.each(['/api/v2/none', '/v1/none', '/api', '/ready/none'])('%s belongs to the API and is 404', async (path) => {
    const { status, headers } = await get(path);
    expect(status).toBe(404);
    expect(headers['content-security-policy']).toBeUndefined();
  });
});

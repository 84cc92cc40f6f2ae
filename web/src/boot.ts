/** What the server wrote into the page. */

function metaContent(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
}

export const flavour = metaContent('signalbox-flavour') === 'managed' ? 'managed' : 'self-hosted';

/** Style elements made at run time carry it: the content security policy lets no others through. */
export const styleNonce = metaContent('signalbox-style-nonce');

/** Where programs send OTLP/HTTP to, as far as the server knows: see `otlp-endpoint.ts`. */
export const otlpHttp = metaContent('signalbox-otlp-http');

/** Path under which the pages are served: `/` or `/observability/`. */
export const basePath = new URL(document.baseURI).pathname;

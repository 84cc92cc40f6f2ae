import { servicePlaceOf } from './service-place.ts';

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

/** The service whose pages this document has; managed flavour. The pages of another service are another document. */
export const service = flavour === 'managed' ? servicePlaceOf(location.pathname, basePath) : undefined;

/** Whether the pages of this document show telemetry: those of a team or a service do, those of organizations do not. */
export const hasTelemetry = flavour === 'self-hosted' || service !== undefined;

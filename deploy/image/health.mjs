// The image's health check: whether the process answers on its ops port. It has no curl, and starting the whole program
// for each look would cost more than the look.
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

const { SIGNALBOX_OPS_PORT: port = '8081', SIGNALBOX_TLS_CERT: certificate } = process.env;
const isTls = certificate !== undefined && certificate !== '';
// The certificate is for the public name, not for this address.
const options = { host: '127.0.0.1', port, path: '/health', timeout: 4_000, rejectUnauthorized: false };
const look = (isTls ? httpsRequest : httpRequest)(options, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
look.on('timeout', () => process.exit(1));
look.on('error', () => process.exit(1));
look.end();

import { flavour, service } from '../boot.ts';
import { isForKeys } from './api-path.ts';
import { apiUrl } from './client.ts';
import { cloudKey, curlOf, personalKey } from './curl-of.ts';

const key = flavour === 'managed' ? cloudKey : personalKey;

/** The variables that commands read the key from, in words. */
export const keyVariables = key.names;

/** Whether holders of keys have the operation at this path. */
export function hasCommand(path: string): boolean {
  return isForKeys(path, { flavour, service });
}

/** A request as a command for the holder of a key; `undefined` where keys have no such operation. */
export function curlCommand(method: string, path: string, body: unknown): string | undefined {
  return hasCommand(path) ? curlOf(method, { url: apiUrl(path), body }, key) : undefined;
}

import { apiUrl } from '../../api/client.ts';

/** The same call for a terminal; the key comes from the environment, never from this page. */
export function curlOf(method: string, path: string, body?: unknown): string {
  const lines = [`curl -X ${method} '${apiUrl(path)}'`, `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`];
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`);
  }
  return lines.join(' \\\n  ');
}

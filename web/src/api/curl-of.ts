/** A request as a command; the key comes from the environment of who runs it, never from this page. */
export function curlOf(method: string, url: string, body: unknown): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return [
    `curl -sS -X ${method} '${url}'`,
    `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '${json}'`,
  ].join(' \\\n  ');
}

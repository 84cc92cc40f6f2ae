/** A request as a command; the key comes from the environment of who runs it, never from this page. */
export function curlOf(method: string, { url, body }: { url: string; body: unknown }, key: KeyVariables): string {
  const json = JSON.stringify(body).replaceAll("'", "'\\''");
  return [`curl -sS -X ${method} '${url}'`, key.option, `-H 'Content-Type: application/json'`, `-d '${json}'`].join(
    ' \\\n  ',
  );
}

export interface KeyVariables {
  /** Of curl. */
  option: string;
  /** The variables that have to be set, in words. */
  names: string;
}

export const personalKey: KeyVariables = {
  option: `-H "Authorization: Bearer $SIGNALBOX_API_KEY"`,
  names: 'SIGNALBOX_API_KEY',
};

/** A key id and a secret. */
export const cloudKey: KeyVariables = { option: `-u "$KEY_ID:$KEY_SECRET"`, names: 'KEY_ID and KEY_SECRET' };

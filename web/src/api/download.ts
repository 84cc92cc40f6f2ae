import { type ApiRequest, fetchAnswer } from './client.ts';

/** A file of the API as it is saved. */
export interface DownloadedFile {
  name: string;
  blob: Blob;
}

/**
 * The whole of a file that the API sends in parts, or none of it.
 * @throws {ApiError} as `callApi`; an `Error` if the connection breaks off midway
 */
export async function fetchFile(
  path: string,
  { onProgress, ...request }: ApiRequest & { onProgress: (bytes: number) => void },
): Promise<DownloadedFile> {
  const answer = await fetchAnswer(path, request);
  const type = answer.headers.get('content-type') ?? '';
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'export';
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = answer.body?.getReader();
  let bytes = 0;
  try {
    for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.byteLength;
      onProgress(bytes);
    }
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new Error('The transfer broke off before its end, so nothing was saved. Try again.', { cause: error });
  }
  return { name, blob: new Blob(parts, { type }) };
}

/** Has the browser save a file. */
export function saveFile({ name, blob }: DownloadedFile): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

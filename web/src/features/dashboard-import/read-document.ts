const bytesMax = 4_500_000;

/** The JSON of a file or of what was pasted. Throws a sentence for people. */
export function readDocument(text: string): unknown {
  if (new Blob([text]).size > bytesMax) throw new Error('The document is too large: at most 4.5 MB can be imported.');
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The text is not JSON. Paste the whole exported document, or choose its file.');
  }
}

/** All of a body that should be short. Throws what `tooLong` makes as soon as it has more than `bytesMax`. */
export async function collectBody(
  body: AsyncIterable<Uint8Array>,
  bytesMax: number,
  tooLong: () => Error,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.byteLength;
    if (bytes > bytesMax) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

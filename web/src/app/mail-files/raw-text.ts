// Reads the beginning of a raw message, or of its HTML as it was sent, as text, and no more of it than is shown.
import { openRawMail, type RawPart } from '../../api/operations.ts';

/** Bytes shown; the rest is for the download. */
export const rawShownBytes = 256 * 1024;

/**
 * Decodes bytes beyond ASCII as UTF-8, with the replacement character for invalid ones.
 * @throws ApiError; TypeError when the connection breaks
 */
export async function readRawStart(
  token: string,
  { id, part, signal }: { readonly id: number; readonly part: RawPart; readonly signal: AbortSignal },
): Promise<string> {
  const response = await openRawMail(token, { id, part, signal });
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let left = rawShownBytes;
  while (left > 0) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, left), { stream: true });
    left -= value.byteLength;
  }
  await reader.cancel();
  return text;
}

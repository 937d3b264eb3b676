// Line ends of files, as messages need them.

/**
 * Ends every line with CR LF: lines may end with LF, with CR LF, and with several CR before it, as text that was
 * converted twice has. A CR elsewhere stays.
 */
export function toCrLf(text: string): string {
  // From the first of several CR alone: each of them would search for the LF again.
  return text.replace(/(?<!\r)\r*\n/g, '\r\n');
}

// Text of strangers in the markups of chat services: what could format, link or call people is escaped, and what is too
// long is cut between characters.

/** Removes controls, and characters that turn the direction of text. Line ends stay. */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd');
}

export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ').trim();
}

/** For Telegram's HTML and Slack's text alike. */
export function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A character without width after `@`: Telegram would call the person of that name. */
export function breakMentions(text: string): string {
  return text.replace(/(?<!\w)@(?=\w)/g, '@\u2060');
}

/** Every character that Discord's Markdown gives a meaning to. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/**
 * Escapes as many whole characters as fit.
 * @param max UTF-16 units of the result, an ellipsis included
 */
export function escapeWithin(text: string, max: number, escape: (text: string) => string): string {
  const whole = escape(text);
  if (whole.length <= max) return whole;
  let made = '';
  for (const character of text) {
    const next = escape(character);
    if (made.length + next.length > max - 1) break;
    made += next;
  }
  return max < 1 ? '' : `${made}…`;
}

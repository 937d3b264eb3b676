// Successful answers in Mayfly's own form: JSON whose first member is the status.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { writePieces } from '#http-parts/slices';

/** Returns a successful answer with this content. */
export function jsonAnswer(content: object): Answer {
  return { body: toSuccessText(content) };
}

/** Ends with a line feed, as every JSON answer does, so that a terminal's prompt is on a line of its own. */
function toSuccessText(content: object): string {
  return `${stringifyWellFormed({ status: 'success', ...content })}\n`;
}

/** Serialises a successful answer about one object, yielding between its members. */
export async function writeSuccess(name: string, thing: object): Promise<Buffer> {
  const pieces = await writePieces({ status: 'success', [name]: thing });
  return Buffer.concat([...pieces, Buffer.from('\n')]);
}

// Extracts what a search needs from a whole message, which itself stays in the thread that read it. Called by
// reader-worker.ts, and by tests without threads.

import {
  codeConfidence,
  findListedCode,
  foldText,
  type FoundCode,
  listedKinds,
  parseMessage,
} from '@mayfly/mail-reader';
import type { ExaminedMessage } from './reader-protocol.ts';

export function examineMessage(raw: Uint8Array, parts: readonly string[]): ExaminedMessage {
  const { text, links, codes, glance, attachments } = parseMessage(raw);
  const names = attachments.map(({ filename }) => filename);
  const folded = parts.length === 0 ? '' : foldText([text, ...names].join('\n'));
  return {
    foundParts: parts.map((part) => folded.includes(foldText(part))),
    hasInline: attachments.some(({ disposition }) => disposition === 'inline'),
    linkKinds: [...new Set(links.map(({ kind }) => kind))],
    hasCode: findListedCode(codes) !== undefined,
    codeKinds: [...new Set(codes.filter(isFound).map(({ kind }) => kind))],
    glance,
  };
}

/** A code of a kind that no list shows is found as soon as read-mail has it: of a list of recovery codes none is sure to be meant. */
function isFound({ kind, confidence }: FoundCode): boolean {
  return confidence >= codeConfidence || !listedKinds.has(kind);
}

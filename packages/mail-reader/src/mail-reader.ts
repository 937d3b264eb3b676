// The package's main entry point: reads whole messages, and derives results from them. All exports are plain functions
// over bytes and strings; run them in a separate thread, because senders control how long a message takes.
export { type BodyContents, readBodyContents } from './extract/body-contents.ts';
export { type Attachment, findPictures } from './parts/attachments.ts';
export { type CodeKind, codeKinds, listedKinds } from './extract/code-kinds.ts';
export { codeConfidence, findListedCode, type FoundCode } from './extract/find-codes.ts';
export type { FoundLink } from './extract/find-links.ts';
export type { Mailbox } from './header/header-address.ts';
export { readUnsubscribe, type Unsubscribe } from './header/unsubscribe.ts';
export { glanceAt, type MessageGlance } from './message/glance.ts';
export {
  parseMessage,
  type ParsedHeader,
  type ParsedMessage,
  type ParseOutcome,
} from './message/parse-message.ts';
export { pictureTypeOf } from './parts/picture-type.ts';
export { decodePieces } from './parts/transfer-decoder.ts';
export { flagLink, type LinkFlag } from './sanitise/link-flags.ts';
export { foldText, holdsText } from './text/holds-text.ts';

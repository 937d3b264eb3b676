// How browsers lay out a document, which its doctype decides. A table ends a paragraph
// before it only where the mode is not `quirks`, so every pass of the sanitiser and its proof parse in the same mode.
import { html, parse } from 'parse5';

import type { DocumentMode } from './doctypes.ts';

export function toDocumentMode(mode: html.DOCUMENT_MODE): DocumentMode {
  switch (mode) {
    case html.DOCUMENT_MODE.QUIRKS:
      return 'quirks';
    case html.DOCUMENT_MODE.LIMITED_QUIRKS:
      return 'limited-quirks';
    case html.DOCUMENT_MODE.NO_QUIRKS:
      return 'no-quirks';
  }
}

/** Parses all of it. */
export function readMode(text: string): DocumentMode {
  return toDocumentMode(parse(text).mode);
}

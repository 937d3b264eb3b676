// What DOMPurify asks a browser's window for, on the plain DOM. Used by html-purifier. What is not here DOMPurify does
// without (template elements in the window, trusted types), or never asks for with our configuration (cloning, importing).
import { parsePlainDocument, PlainDocument } from './plain-document.ts';
import { PlainElement } from './plain-element.ts';
import { PlainNode } from './plain-node.ts';

class PlainParser {
  parseFromString(text: string): PlainDocument {
    return parsePlainDocument(text);
  }
}

export function createPlainWindow(): object {
  const document = Object.assign(new PlainDocument(), {
    implementation: { createHTMLDocument: parsePlainDocument },
  });
  return {
    document,
    DOMParser: PlainParser,
    Element: PlainElement,
    Node: PlainNode,
    // Bits of the DOM standard (§6.3).
    NodeFilter: {
      SHOW_ELEMENT: 1,
      SHOW_TEXT: 4,
      SHOW_CDATA_SECTION: 8,
      SHOW_PROCESSING_INSTRUCTION: 64,
      SHOW_COMMENT: 128,
    },
  };
}

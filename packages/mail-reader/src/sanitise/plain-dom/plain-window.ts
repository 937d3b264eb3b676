// The parts of a browser's window that DOMPurify uses, on the plain DOM, for html-purifier. DOMPurify does without the
// rest (template elements in the window, trusted types), or never uses it in our configuration (cloning, importing).
import { ExcessiveMarkupError } from '../markup-budget.ts';
import { parsePlainDocument, PlainDocument } from './plain-document.ts';
import { PlainElement } from './plain-element.ts';
import { PlainNode } from './plain-node.ts';

/** `onExcess` receives the refusal of markup that is then replaced by nothing: DOMPurify would swallow an error. */
export function createPlainWindow(onExcess: (error: ExcessiveMarkupError) => void = rethrow): object {
  class PlainParser {
    parseFromString(text: string): PlainDocument {
      try {
        return parsePlainDocument(text);
      } catch (error) {
        if (!(error instanceof ExcessiveMarkupError)) throw error;
        onExcess(error);
        return parsePlainDocument('');
      }
    }
  }
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

function rethrow(error: ExcessiveMarkupError): never {
  throw error;
}

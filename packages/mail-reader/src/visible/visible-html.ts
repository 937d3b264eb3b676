// Returns the text a person sees of a message's HTML, and counts what a person does not see. For readers that must not
// get what the sender hid, such as language models. The markup is UNTRUSTED and unsanitised: a sanitiser removes
// styles, and with them what hides.
import { TextWriter } from '../text/html-to-text.ts';
import { parsePlainDocument } from '../sanitise/plain-dom/plain-document.ts';
import { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import { following, PlainComment, type PlainNode, PlainText } from '../sanitise/plain-dom/plain-node.ts';
import { Covers } from './covers.ts';
import { LookBook } from './look-book.ts';
import { StyleRules } from './style-rules.ts';

export interface SeenHtml {
  readonly text: string;
  /**
   * Characters that are not white space: of text hidden by styles, and of content that browsers do not show as text.
   */
  readonly hiddenByStyle: number;
  readonly hiddenInMarkup: number;
}

/** Elements whose content mail programs do not show as text. */
const notText: ReadonlySet<string> = new Set(
  (
    'applet area audio base button canvas datalist embed frame frameset head iframe input link map math meta noembed ' +
    'noframes noscript object optgroup option param picture portal progress rp script select slot source style svg ' +
    'template textarea title track video xmp'
  ).split(' '),
);
/** Block elements that older readers do not know. */
const boxes: ReadonlySet<string> = new Set(['details', 'dialog', 'summary']);
/** Elements whose content no person reads. */
const code: ReadonlySet<string> = new Set(['style', 'script']);
const wordAttributes = ['alt', 'title', 'aria-label', 'placeholder', 'summary'];

/** @throws ExcessiveMarkupError for markup built to be costly */
export function readSeenHtml(html: string, charsMax: number): SeenHtml {
  // Mail programs drop `noscript`; parsed as markup, one in the head would put its text into the body.
  const document = parsePlainDocument(html, { scriptingEnabled: true });
  const rules = new StyleRules();
  for (const sheet of document.getElementsByTagName('style')) {
    rules.addSheet(sheet.textContent, sheet.getAttribute('media') ?? '');
  }
  const looks = new LookBook(rules);
  const covers = new Covers();
  walkShown(document, {
    enter: (node) => {
      if (!(node instanceof PlainElement)) return node.first !== null;
      if (notText.has(node.name)) return false;
      looks.read(node, isFoldedAway(node));
      return true;
    },
    leave: (node) => {
      if (node instanceof PlainElement && !notText.has(node.name)) covers.note(node, looks);
    },
  });
  const reader = new SeenReader(looks, covers, charsMax);
  reader.read(document);
  return reader.finish();
}

interface Visitor {
  /** Returns whether to visit the node's content. */
  readonly enter: (node: PlainNode) => boolean;
  readonly leave: (node: PlainNode) => void;
}

/** Without recursion: the sender decides how deeply elements nest. */
function walkShown(root: PlainNode, { enter, leave }: Visitor): void {
  let node = root.first;
  while (node !== null) {
    if (enter(node) && node.first !== null) {
      node = node.first;
      continue;
    }
    leave(node);
    let at: PlainNode = node;
    while (at.next === null && at.parent !== null && at.parent !== root) {
      at = at.parent;
      leave(at);
    }
    node = at.next;
  }
}

class SeenReader {
  readonly #looks: LookBook;
  readonly #covers: Covers;
  readonly #writer = new TextWriter();
  readonly #charsMax: number;
  #hiddenByStyle = 0;
  #hiddenInMarkup = 0;
  #preDepth = 0;

  constructor(looks: LookBook, covers: Covers, charsMax: number) {
    this.#looks = looks;
    this.#covers = covers;
    this.#charsMax = charsMax;
  }

  finish(): SeenHtml {
    return {
      text: this.#writer.finish(this.#charsMax),
      hiddenByStyle: this.#hiddenByStyle,
      hiddenInMarkup: this.#hiddenInMarkup,
    };
  }

  read(root: PlainNode): void {
    walkShown(root, {
      enter: (node) => this.#enter(node),
      leave: (node) => {
        this.#leave(node);
      },
    });
  }

  /** Returns whether to read the node's content. */
  #enter(node: PlainNode): boolean {
    if (node instanceof PlainText) this.#takeText(node);
    else if (node instanceof PlainComment) this.#hiddenInMarkup += countSigns(node.data);
    if (!(node instanceof PlainElement)) return node.first !== null;
    for (const name of wordAttributes) this.#hiddenInMarkup += countSigns(node.getAttribute(name) ?? '');
    if (notText.has(node.name)) {
      if (!code.has(node.name)) this.#hiddenInMarkup += countSigns(textIn(node));
      return false;
    }
    this.#covers.enter(node);
    if (!this.#looks.isGone(node)) this.#break(node, false);
    if (node.name === 'pre') this.#preDepth += 1;
    return true;
  }

  #leave(node: PlainNode): void {
    if (!(node instanceof PlainElement) || notText.has(node.name)) return;
    this.#covers.leave(node);
    if (node.name === 'pre') this.#preDepth -= 1;
    if (node.name !== 'br') this.#break(node, true);
  }

  #break({ name }: PlainElement, isEnd: boolean): void {
    this.#writer.breakFor(boxes.has(name) ? 'div' : name, isEnd);
  }

  #takeText(node: PlainText): void {
    const isHidden = isFoldedAway(node) || this.#covers.isCovered || !this.#looks.isTextSeenIn(node.parent);
    if (isHidden) this.#hiddenByStyle += countSigns(node.data);
    else if (this.#writer.length < this.#charsMax) this.#writer.text(node.data, this.#preDepth > 0);
  }
}

/** Reports whether the node is in a closed <details> or <dialog>, except for the line that opens it. */
function isFoldedAway(node: PlainElement | PlainText): boolean {
  if (node instanceof PlainElement && node.name === 'dialog') return !node.hasAttribute('open');
  const { parent } = node;
  const isInDetails = parent instanceof PlainElement && parent.name === 'details';
  return isInDetails && node.name !== 'summary' && !parent.hasAttribute('open');
}

/** Excludes code; includes the contents of templates. */
function textIn(element: PlainElement): string {
  const root = element.content ?? element;
  let text = '';
  for (let node = following(root, root); node !== null; node = following(node, root)) {
    if (node instanceof PlainText && !code.has(node.parent?.name ?? '')) text += node.data;
  }
  return text;
}

function countSigns(text: string): number {
  return text.length === 0 ? 0 : text.replaceAll(/\s+/g, '').length;
}

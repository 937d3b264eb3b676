// Returns the text a person sees of a message's HTML, and counts what a person does not see. For readers that must not
// get what the sender hid, such as language models. The markup is UNTRUSTED and unsanitised: a sanitiser removes
// styles, and with them what hides.
import { TextWriter } from '../text/html-to-text.ts';
import { parsePlainDocument } from '../sanitise/plain-dom/plain-document.ts';
import { PlainElement } from '../sanitise/plain-dom/plain-element.ts';
import { following, PlainComment, type PlainNode, PlainText } from '../sanitise/plain-dom/plain-node.ts';
import { isTextSeen, type Look, lookOf, plainLook } from './look.ts';
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
export function readSeenHtml(html: string, maxChars: number): SeenHtml {
  // Mail programs drop `noscript`; parsed as markup, one in the head would put its text into the body.
  const document = parsePlainDocument(html, { scriptingEnabled: true });
  const rules = new StyleRules();
  for (const sheet of document.getElementsByTagName('style')) {
    rules.addSheet(sheet.textContent, sheet.getAttribute('media') ?? '');
  }
  const reader = new SeenReader(rules, maxChars);
  reader.read(document);
  return reader.finish();
}

class SeenReader {
  readonly #rules: StyleRules;
  readonly #writer = new TextWriter();
  readonly #maxChars: number;
  #hiddenByStyle = 0;
  #hiddenInMarkup = 0;
  #preDepth = 0;

  constructor(rules: StyleRules, maxChars: number) {
    this.#rules = rules;
    this.#maxChars = maxChars;
  }

  finish(): SeenHtml {
    return {
      text: this.#writer.finish(this.#maxChars),
      hiddenByStyle: this.#hiddenByStyle,
      hiddenInMarkup: this.#hiddenInMarkup,
    };
  }

  /** Without recursion: the sender decides how deeply elements nest. */
  read(root: PlainNode): void {
    const looks: Look[] = [plainLook];
    let node = root.first;
    while (node !== null) {
      const entered = this.#enter(node, looks.at(-1) ?? plainLook);
      if (entered !== undefined && node.first !== null) {
        looks.push(entered);
        node = node.first;
        continue;
      }
      this.#leave(node);
      let at: PlainNode = node;
      while (at.next === null && at.parent !== null && at.parent !== root) {
        at = at.parent;
        looks.pop();
        this.#leave(at);
      }
      node = at.next;
    }
  }

  /** Returns the look of an element to be read; undefined for everything else. */
  #enter(node: PlainNode, around: Look): Look | undefined {
    if (node instanceof PlainText) {
      this.#takeText(node.data, { ...around, isGone: around.isGone || isFoldedAway(node) });
    } else if (node instanceof PlainComment) this.#hiddenInMarkup += countSigns(node.data);
    if (!(node instanceof PlainElement)) return undefined;
    for (const name of wordAttributes) this.#hiddenInMarkup += countSigns(node.getAttribute(name) ?? '');
    if (notText.has(node.name)) {
      if (!code.has(node.name)) this.#hiddenInMarkup += countSigns(textIn(node));
      return undefined;
    }
    const look = lookOf(node, this.#rules.find(node), around);
    if (!look.isGone) this.#break(node, false);
    if (node.name === 'pre') this.#preDepth += 1;
    return isFoldedAway(node) ? { ...look, isGone: true } : look;
  }

  #leave(node: PlainNode): void {
    if (!(node instanceof PlainElement) || notText.has(node.name)) return;
    if (node.name === 'pre') this.#preDepth -= 1;
    if (node.name !== 'br') this.#break(node, true);
  }

  #break({ name }: PlainElement, isEnd: boolean): void {
    this.#writer.breakFor(boxes.has(name) ? 'div' : name, isEnd);
  }

  #takeText(text: string, look: Look): void {
    if (!isTextSeen(look)) this.#hiddenByStyle += countSigns(text);
    else if (this.#writer.length < this.#maxChars) this.#writer.text(text, this.#preDepth > 0);
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

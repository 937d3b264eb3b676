// The card that offers a code or a link: below the field for it, or in the corner of the window.
import type { Offer, OfferedLink } from '../shared/messages.ts';
import { element } from '../shared/element.ts';
import { linkWords } from '../shared/link-words.ts';
import { text } from '../shared/texts.ts';
import { isVisible } from './find/visible.ts';
import { drawCross, drawMark } from '../shared/mark.ts';
import { createSurface, isMeant, type Surface } from './surface.ts';

export interface Card {
  place(): void;
  remove(): void;
}

export interface OfferActions {
  /** Called for a person's own clicks alone, like the others. */
  readonly code: (code: string) => void;
  readonly link: () => void;
  readonly dismiss: () => void;
}

const gap = 6;
const corner = 16;

/** `anchor` is the field to fill; without one the code is copied. */
export function showOffer(offer: Offer, anchor: HTMLElement | undefined, actions: OfferActions): Card {
  const { code, link, foreignSender } = offer;
  const surface = createSurface(anchor);
  const parts: HTMLElement[] = [];
  if (code !== null) {
    parts.push(codeButton(surface, { code, isCopied: anchor === undefined, act: actions.code }));
  }
  if (link !== null) parts.push(linkButton(surface, link, actions.link));
  if (foreignSender !== null) parts.push(senderNote(foreignSender));
  const words = text(code === null ? 'offerLink' : 'offerCode');
  return showCard(surface, { words, parts, anchor, dismiss: actions.dismiss });
}

/** Says why there is no address. */
export function showFailure(
  words: string,
  anchor: HTMLElement | undefined,
  actions: { settings: () => void; dismiss: () => void },
): Card {
  const surface = createSurface(anchor);
  const settings = element('button', 'act-text', text('settings'));
  listen(settings, surface, actions.settings);
  return showCard(surface, {
    words: text('name'),
    parts: [element('p', 'note', words), settings],
    anchor,
    dismiss: actions.dismiss,
  });
}

interface CardContent {
  readonly words: string;
  readonly parts: readonly HTMLElement[];
  readonly anchor: HTMLElement | undefined;
  readonly dismiss: () => void;
}

function showCard(surface: Surface, { words, parts, anchor, dismiss }: CardContent): Card {
  const close = element('button', 'close', drawCross());
  close.title = text('close');
  close.setAttribute('aria-label', text('close'));
  listen(close, surface, dismiss);
  const head = element(
    'div',
    'head',
    element('span', 'mark', drawMark()),
    element('span', 'words', words),
    close,
  );
  const card = element('div', 'card', head, ...parts);
  card.setAttribute('role', 'status');
  surface.root.append(card);
  const place = (): void => {
    if (anchor && (!anchor.isConnected || !isVisible(anchor))) surface.hide();
    else surface.showAt(...placeOf(card, anchor));
  };
  // Only what is shown has a size.
  surface.showAt(0, 0);
  place();
  return {
    place,
    remove: () => {
      surface.remove();
    },
  };
}

function codeButton(
  surface: Surface,
  { code, isCopied, act }: { code: string; isCopied: boolean; act: (code: string) => void },
): HTMLElement {
  const action = element('span', 'act', text(isCopied ? 'copy' : 'fill'));
  const button = element('button', 'code', element('span', 'value', group(code)), action);
  listen(button, surface, () => {
    act(code);
    if (isCopied) action.textContent = text('copied');
  });
  return button;
}

/** A doubtful link takes two clicks; the first says where it leads. */
function linkButton(surface: Surface, { kind, host, isDoubtful }: OfferedLink, act: () => void): HTMLElement {
  const button = element('button', 'link', linkWords(kind));
  let isAsked = !isDoubtful;
  listen(button, surface, () => {
    if (isAsked) act();
    else {
      isAsked = true;
      button.classList.add('is-asking');
      button.textContent = text('linkAsk', host);
    }
  });
  return button;
}

function senderNote(domain: string): HTMLElement {
  const [before = '', after = ''] = text('sender', '\n').split('\n');
  return element('p', 'note sender', before, element('b', '', domain), after);
}

function listen(button: HTMLButtonElement, surface: Surface, act: () => void): void {
  button.type = 'button';
  button.addEventListener('click', (event) => {
    if (isMeant(event, surface)) act();
  });
  button.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
}

/** Six digits as people read them. */
function group(code: string): string {
  return /^\d{6}$/.test(code) ? `${code.slice(0, 3)} ${code.slice(3)}` : code;
}

function placeOf(card: HTMLElement, anchor: HTMLElement | undefined): [left: number, top: number] {
  const { width, height } = card.getBoundingClientRect();
  const isRightToLeft = getComputedStyle(card).direction === 'rtl';
  if (!anchor) {
    return [
      isRightToLeft ? corner : document.documentElement.clientWidth - width - corner,
      innerHeight - height - corner,
    ];
  }
  const { left, right, top, bottom } = anchor.getBoundingClientRect();
  const wanted = isRightToLeft ? right - width : left;
  const isRoomBelow = bottom + gap + height <= innerHeight || top < height + gap;
  return [
    Math.max(gap, Math.min(wanted, document.documentElement.clientWidth - width - gap)),
    isRoomBelow ? bottom + gap : top - gap - height,
  ];
}

// Everything that a frame shows: icons in its fields, and a card with what has come. Nothing is filled in but by a person's click, on
// these or on the browser's own button.
import type { ForFrame, Offer, Press } from '../shared/messages.ts';
import { type Card, showFailure, showOffer } from './card.ts';
import { copy } from './copy.ts';
import { fillCode, fillEmail, fits } from './fill.ts';
import { type CodeField, findCodeField } from './find/code-fields.ts';
import { type EmailField, findEmailFields } from './find/email-fields.ts';
import { followLayout } from './follow.ts';
import { createIcon, type Icon } from './icon.ts';
import { Line } from './line.ts';
import { type Rescan, watchFields } from './rescan.ts';

/** Icons in one frame. */
const iconsMax = 3;

export class PageFrame {
  readonly #line: Line;
  readonly #rescan: Rescan;
  readonly #endFollowing: () => void;
  #emails: readonly EmailField[] = [];
  #codeField: CodeField | undefined;
  #icons: readonly Icon[] = [];
  #card: Card | undefined;
  #offer: Offer | null = null;
  /** The icon that was pressed last. */
  #pressed: Icon | undefined;
  /** Addresses that were filled in: another may take their place. */
  readonly #filled = new Set<string>();
  #isReady = false;
  #isWaiting = false;
  #isEnded = false;

  constructor() {
    this.#line = new Line({
      received: (message) => {
        this.#receive(message);
      },
      opened: () => {
        this.#report();
      },
      isWanted: () => this.#isWaiting,
      gone: () => {
        this.end();
      },
    });
    this.#rescan = watchFields(() => {
      this.scan();
    });
    this.#endFollowing = followLayout(() => {
      this.#place();
    });
    this.scan();
  }

  /** Connects even without a field: the site may have mail to show. */
  connect(): void {
    if (!this.#isEnded) this.#line.open();
  }

  /** For a press of the browser's own button. */
  report(): { origin: string; hasCode: boolean; hasEmptyEmail: boolean; hasOwnEmail: boolean } | null {
    if (this.#isEnded) return null;
    this.scan();
    return {
      origin: self.origin,
      hasCode: this.#codeField !== undefined,
      hasEmptyEmail: this.#emails.some(({ field }) => field.value === ''),
      hasOwnEmail: this.#emails.some(({ field }) => this.#filled.has(field.value)),
    };
  }

  /** Does what the browser's own button asks for. */
  async press({ origin, email, code }: Press): Promise<void> {
    if (origin !== self.origin) return;
    if (email !== undefined) {
      const isOther = ({ field: { value } }: EmailField): boolean =>
        value !== email && this.#filled.has(value);
      const field = this.#emails.find(isOther) ?? this.#emails.find((one) => one.field.value === '');
      if (field) this.#fill(field, email);
    }
    if (code !== undefined && this.#codeField) await fillCode(this.#codeField, code);
  }

  scan(): void {
    if (this.#isEnded) return;
    const before = [this.#emails.length > 0, this.#codeField?.[0]];
    this.#emails = findEmailFields();
    this.#codeField = findCodeField();
    this.#rescan.watchRoots();
    const hasAny = this.#emails.length > 0 || this.#codeField !== undefined;
    if (hasAny && !this.#line.isOpen()) this.#line.open();
    else if (before[0] !== this.#emails.length > 0 || before[1] !== this.#codeField?.[0]) this.#report();
    this.#showIcons();
    if (before[1] !== this.#codeField?.[0]) this.#showOffer();
    this.#place();
  }

  end(): void {
    this.#isEnded = true;
    this.#isWaiting = false;
    this.#line.close();
    this.#rescan.stop();
    this.#endFollowing();
    this.#closeCard();
    for (const icon of this.#icons) icon.remove();
    this.#icons = [];
  }

  #report(): void {
    this.#line.tell({
      kind: 'fields',
      hasEmail: this.#emails.length > 0,
      hasCode: this.#codeField !== undefined,
    });
  }

  #receive(message: ForFrame): void {
    switch (message.kind) {
      case 'refused':
        this.end();
        return;
      case 'ready':
        this.#isReady = true;
        this.#isWaiting = message.isWaiting;
        this.#showIcons();
        return;
      case 'email':
        if (this.#pressed) this.#fill(this.#pressed.email, message.email);
        this.#pressed = undefined;
        this.#showState();
        return;
      case 'failed':
        this.#showState();
        this.#showFailure(message.text, this.#pressed?.email.field);
        this.#pressed = undefined;
        return;
      case 'offer':
        // Said again to all when one of the site's pages changes: what a person may be about to press stays.
        if (this.#card && JSON.stringify(message.offer) === JSON.stringify(this.#offer)) return;
        this.#offer = message.offer;
        this.#showOffer();
        return;
    }
  }

  #fill(field: EmailField, email: string): void {
    this.#filled.add(email);
    fillEmail(field, email);
  }

  #showIcons(): void {
    if (!this.#isReady) return;
    const wanted = this.#emails.slice(0, iconsMax);
    for (const icon of this.#icons) {
      if (!wanted.some(({ field }) => field === icon.email.field)) icon.remove();
    }
    this.#icons = wanted.map((email) => {
      const known = this.#icons.find((icon) => icon.email.field === email.field);
      return known ?? this.#createIcon(email);
    });
    this.#showState();
  }

  #createIcon(email: EmailField): Icon {
    const icon = createIcon(email, {
      near: () => {
        this.#line.open();
      },
      pressed: () => {
        this.#pressed = icon;
        icon.show('busy');
        this.#line.ask({ kind: 'fill' });
      },
    });
    return icon;
  }

  #showState(): void {
    for (const icon of this.#icons) {
      if (icon !== this.#pressed) icon.show(this.#isWaiting ? 'waiting' : 'idle');
    }
  }

  #place(): void {
    for (const icon of this.#icons) icon.place();
    this.#card?.place();
  }

  #closeCard(): void {
    this.#card?.remove();
    this.#card = undefined;
  }

  #showOffer(): void {
    this.#closeCard();
    const offer = this.#offer;
    if (offer === null || this.#isEnded) return;
    const { id, code } = offer;
    const fields =
      code !== null && this.#codeField && fits(this.#codeField, code) ? this.#codeField : undefined;
    const taken = (): void => {
      this.#offer = null;
      this.#line.ask({ kind: 'taken', id });
    };
    this.#card = showOffer(offer, fields?.[0], {
      code: (value) => {
        void (fields
          ? fillCode(fields, value).then(() => {
              this.#closeCard();
              taken();
            })
          : copy(value));
      },
      link: () => {
        this.#closeCard();
        this.#offer = null;
        this.#line.ask({ kind: 'open', id });
      },
      dismiss: () => {
        this.#closeCard();
        taken();
      },
    });
  }

  #showFailure(words: string, anchor: HTMLElement | undefined): void {
    this.#closeCard();
    this.#card = showFailure(words, anchor, {
      settings: () => {
        this.#closeCard();
        this.#line.ask({ kind: 'settings' });
      },
      dismiss: () => {
        this.#showOffer();
      },
    });
  }
}

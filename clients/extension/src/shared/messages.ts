// The messages between the parts of the extension. A token never is part of it: only the worker has tokens.

/** A code or a link that came by mail, as a page may see it. */
export interface Offer {
  /** The message's id, unique within the site's address. */
  readonly id: number;
  readonly code: string | null;
  /** The address itself stays with the worker. */
  readonly link: OfferedLink | null;
  /** Domain of the sender if it differs from the page's site; null if it is the same. */
  readonly foreignSender: string | null;
}

export interface OfferedLink {
  readonly kind: 'verify' | 'login' | 'reset' | 'invite';
  /** After `http://` where the link gives up the encryption that the site has. */
  readonly host: string;
  /** Whether it needs a second click: its host is not the site's, or the message disguises it. */
  readonly isDoubtful: boolean;
}

/** The fields that a frame has. */
export interface Fields {
  readonly hasEmail: boolean;
  readonly hasCode: boolean;
}

/** From a frame to the worker, through its port. */
export type FromPage = Note | Asked;

/** Needs no answer: a new line says it again. */
export type Note =
  | ({ readonly kind: 'fields' } & Fields)
  /** Keeps the worker awake while mail is expected. */
  | { readonly kind: 'ping' };

/** Something that a person has done. It is sent again until the worker has answered its number. */
export type Asked = Act & { readonly number: number };

export type Act =
  | { readonly kind: 'fill' }
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'open'; readonly id: number }
  | { readonly kind: 'settings' };

/** From the worker to a frame. */
export type ToPage =
  | ForFrame
  /** The act of this number is done, or has failed in words. */
  | { readonly kind: 'done'; readonly number: number };

export type ForFrame =
  /** The frame is of another site than its page, or of the service itself: it shows nothing. */
  | { readonly kind: 'refused' }
  /** The frame may show what it has; `isWaiting` when the site has an address. */
  | { readonly kind: 'ready'; readonly isWaiting: boolean }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'failed'; readonly text: string; readonly isSetUp: boolean }
  | { readonly kind: 'offer'; readonly offer: Offer | null };

/** From the worker to a frame, after a press of the extension's own button or key. */
export interface Press {
  readonly kind: 'press';
  /** The frame's as it was seen: another document may have come into it meanwhile. */
  readonly origin: string;
  readonly email?: string;
  readonly code?: string;
}

export interface ShownMail {
  readonly id: number;
  readonly sender: string;
  readonly subject: string;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  readonly preview: string;
  readonly code: string | null;
  readonly link: OfferedLink | null;
}

export interface ShownAddress {
  readonly site: string;
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** A failure in words where the service did not answer. */
  readonly mails: readonly ShownMail[] | string;
}

/** From the popup and the options to the worker. */
export type FromView =
  | { readonly kind: 'look'; readonly tabId: number }
  | { readonly kind: 'step'; readonly tabId: number }
  /** Fills in another address: one that the site had before, or a new one. */
  | { readonly kind: 'other'; readonly key?: string; readonly tabId: number }
  | { readonly kind: 'end'; readonly key: string }
  | { readonly kind: 'follow'; readonly key: string; readonly id: number }
  | { readonly kind: 'check' }
  | { readonly kind: 'changed' };

export interface Look {
  readonly isSetUp: boolean;
  /** The site of the tab; null where there is none, as on the browser's own pages. */
  readonly site: string | null;
  /** The tab's origin as a match pattern, if the person may let the icon show there. */
  readonly pattern: string | null;
  readonly canFill: boolean;
  /** The key of the address that the tab's site has now, whether there is one or not. */
  readonly key: string;
  /** With the key that `end`, `other` and `follow` take; the site's first. */
  readonly addresses: readonly (ShownAddress & { readonly key: string })[];
}

export interface Failure {
  readonly failure: string;
}

// One request of a provider while its body arrives: it checks that the provider sent it, and passes on the bytes of the
// message as they are decoded. Pure: the caller supplies the clock and fetches certificates.

/** `unauthorized`: not proven to come from the provider, or too old. `malformed`: not in the provider's form. */
export type RefusalKind = 'unauthorized' | 'malformed';

/** Why a request is refused. The message is for the provider's log, and quotes nothing of the request. */
export class InboundRefusal extends Error {
  override readonly name = 'InboundRefusal';
  readonly kind: RefusalKind;

  constructor(kind: RefusalKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** A message that a provider hands over. */
export interface InboundMail {
  readonly kind: 'mail';
  /** As the provider gives them, unchecked; empty for the empty reverse-path. */
  readonly mailFrom: string;
  readonly rcptTo: readonly string[];
  /** The same for every attempt to hand over this message, and for no other message of the route. */
  readonly id: string;
  readonly proof: Proof;
}

/** The proof that a request brought, which must not prove another one. */
export interface Proof {
  readonly id: string;
  /** For how long it must be remembered: later it is too old to be accepted. */
  readonly keptMs: number;
  /** Stands for all that the signature left open: the proof is accepted again only with the same. Empty where it covers all. */
  readonly binds: string;
}

/** A request by which the provider asks for confirmation that it may send mail. */
export interface Confirmation {
  readonly kind: 'confirmation';
  /** To be fetched; its host is checked. */
  readonly url: string;
}

export type Taken = InboundMail | Confirmation;

export interface Intake {
  /** Takes the next bytes of the body. @throws InboundRefusal */
  push(bytes: Buffer): void;
  /** Call once, after the last bytes; only then is anything proven. Rejects with InboundRefusal. */
  end(): Promise<Taken>;
}

export interface InboundRequest {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** ms since 1970. */
  readonly now: number;
  /** Called with the bytes of the message as they are decoded. What it throws, `push` throws. */
  readonly take: (piece: Buffer) => void;
  /** Fetches a certificate in PEM over https; only called with the URL of a host of Amazon. */
  readonly fetchCertificate: (url: string) => Promise<string>;
}

/** Returns the value of a header field; undefined when it is absent or repeated. */
export function fieldOf({ headers }: Pick<InboundRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}

export function unauthorized(message: string): InboundRefusal {
  return new InboundRefusal('unauthorized', message);
}

export function malformed(message: string): InboundRefusal {
  return new InboundRefusal('malformed', message);
}

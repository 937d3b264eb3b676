// The SASL exchange of one AUTH command (RFC 4954): PLAIN (RFC 4616) and LOGIN, from the command's arguments to a user
// name and a password. Pure; driven by the engine, one line of the client at a time.

import { challenges, replies, type Reply } from './reply.ts';

/** As the client gave them. Empty when its answer was no form of the mechanism, which is as wrong as a wrong password. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/**
 * What follows a line of the client: a challenge to send, credentials to check, why the exchange is over, or why the
 * whole dialogue is.
 */
export type SaslTurn =
  | { readonly challenge: Reply }
  | { readonly credentials: Credentials }
  | { readonly refusal: Reply }
  | { readonly end: Reply };

/** Announced with EHLO. */
export const saslMechanisms = ['PLAIN', 'LOGIN'] as const;

type Mechanism = (typeof saslMechanisms)[number];

const malformed: Credentials = { username: '', password: '' };

export class SaslExchange {
  readonly #mechanism: Mechanism;
  #username: string | undefined;

  constructor(mechanism: Mechanism) {
    this.#mechanism = mechanism;
  }

  /** @param initialResponse as in the command, undefined when there was none; `=` stands for an empty one (§4) */
  begin(initialResponse: string | undefined): SaslTurn {
    if (initialResponse === undefined) return { challenge: this.#challenge() };
    return this.#take(initialResponse === '=' ? '' : initialResponse);
  }

  /** Takes a line that answers a challenge. `*` cancels. */
  answer(line: string): SaslTurn {
    return line === '*' ? { refusal: replies.authCancelled } : this.#take(line);
  }

  #take(response: string): SaslTurn {
    const bytes = decodeBase64(response);
    if (!bytes) return { refusal: replies.badBase64 };
    if (this.#mechanism === 'PLAIN') return { credentials: parsePlain(bytes) };
    const text = decodeUtf8(bytes);
    if (this.#username === undefined) {
      // What is no text gets its answer when the password has come, as every wrong name does.
      this.#username = text ?? '';
      return { challenge: this.#challenge() };
    }
    return { credentials: { username: this.#username, password: text ?? '' } };
  }

  #challenge(): Reply {
    if (this.#mechanism === 'PLAIN') return challenges.empty;
    return this.#username === undefined ? challenges.username : challenges.password;
  }
}

/** Arguments of AUTH: the exchange and its first turn, or the reply that refuses the command. */
export function beginSasl(
  rest: string,
): { readonly exchange: SaslExchange; readonly turn: SaslTurn } | { readonly refusal: Reply } {
  const [name = '', initialResponse, ...others] = rest.split(' ');
  if (name === '' || others.length > 0) return { refusal: replies.badArguments };
  const mechanism = saslMechanisms.find((known) => known === name.toUpperCase());
  if (!mechanism) return { refusal: replies.unknownMechanism };
  const exchange = new SaslExchange(mechanism);
  return { exchange, turn: exchange.begin(initialResponse) };
}

/** Takes canonical base64 alone (RFC 4648 §3.5, §4): other spellings of the same bytes are somebody's mistake. */
function decodeBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** RFC 4616 §2: `[authzid] NUL authcid NUL passwd`. Nobody acts for anybody else here. */
function parsePlain(bytes: Buffer): Credentials {
  const [authzid, username, password, ...others] = decodeUtf8(bytes)?.split('\0') ?? [];
  if (username === undefined || password === undefined || others.length > 0) return malformed;
  if (authzid !== '' && authzid !== username) return malformed;
  return { username, password };
}

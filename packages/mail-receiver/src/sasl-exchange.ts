// The SASL exchange of one AUTH command (RFC 4954): PLAIN (RFC 4616) and LOGIN, from the command's arguments to a
// user name and password. Pure; the engine feeds it one line at a time.

import { challenges, replies, type Reply } from './reply.ts';

/** As given by the client. Empty when the answer does not fit the mechanism, which is treated like a wrong password. */
export interface SaslLogin {
  readonly username: string;
  readonly password: string;
}

/**
 * The result of a line: a challenge to send, credentials to check, the reply that ends the exchange, or the one that
 * ends the dialogue.
 */
export type SaslTurn =
  | { readonly challenge: Reply }
  | { readonly credentials: SaslLogin }
  | { readonly refusal: Reply }
  | { readonly end: Reply };

/** Announced by EHLO. */
export const saslMechanisms = ['PLAIN', 'LOGIN'] as const;

type Mechanism = (typeof saslMechanisms)[number];

const malformed: SaslLogin = { username: '', password: '' };

export class SaslExchange {
  readonly #mechanism: Mechanism;
  #username: string | undefined;

  constructor(mechanism: Mechanism) {
    this.#mechanism = mechanism;
  }

  /** @param initialResponse undefined when the command had none; `=` stands for an empty one (§4) */
  begin(initialResponse: string | undefined): SaslTurn {
    if (initialResponse === undefined) return { challenge: this.#challenge() };
    return this.#take(initialResponse === '=' ? '' : initialResponse);
  }

  /** Takes the answer to a challenge; `*` cancels. */
  answer(line: string): SaslTurn {
    return line === '*' ? { refusal: replies.authCancelled } : this.#take(line);
  }

  #take(response: string): SaslTurn {
    const bytes = decodeBase64(response);
    if (!bytes) return { refusal: replies.badBase64 };
    if (this.#mechanism === 'PLAIN') return { credentials: parsePlain(bytes) };
    const text = decodeUtf8(bytes);
    if (this.#username === undefined) {
      // An invalid name is refused only after the password, like any wrong name.
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

/** Parses the arguments of AUTH: returns the exchange and its first turn, or the reply that refuses the command. */
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

/** Accepts only canonical base64 (RFC 4648 §3.5, §4). */
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

/** `[authzid] NUL authcid NUL passwd` (RFC 4616 §2). Acting for another identity is not supported. */
function parsePlain(bytes: Buffer): SaslLogin {
  const [authzid, username, password, ...others] = decodeUtf8(bytes)?.split('\0') ?? [];
  if (username === undefined || password === undefined || others.length > 0) return malformed;
  if (authzid !== '' && authzid !== username) return malformed;
  return { username, password };
}

// Every reply of the receiver, with its enhanced status code (RFC 2034, RFC 3463) where the standard calls for one.
// Unknown, ended and quarantined recipients get byte-identical replies.

/** A complete line, CRLF included. */
export type Reply = string & { readonly __brand: 'Reply' };

function line(text: string): Reply {
  return `${text}\r\n` as Reply;
}

export const replies = {
  ok: line('250 2.0.0 OK'),
  senderOk: line('250 2.1.0 Sender OK'),
  recipientOk: line('250 2.1.5 Recipient OK'),
  startData: line('354 End data with <CR><LF>.<CR><LF>'),
  authenticated: line('235 2.7.0 Authenticated'),
  readyForTls: line('220 2.0.0 Ready to start TLS'),
  bye: line('221 2.0.0 Bye'),
  cannotVerify: line('252 2.5.2 Cannot verify, but mail for known recipients is accepted'),

  unrecognised: line('500 5.5.2 Command not recognised'),
  lineTooLong: line('500 5.5.2 Line too long'),
  notHttp: line('500 5.5.2 This is SMTP, not HTTP'),
  bareLineEnd: line('500 5.5.2 Lines end with CR LF'),
  badCharacters: line('500 5.5.2 Control characters are not allowed in commands'),
  notImplemented: line('502 5.5.1 Command not implemented'),
  badArguments: line('501 5.5.4 Syntax error in arguments'),
  badSender: line('501 5.1.7 Bad sender address syntax'),
  badRecipient: line('501 5.1.3 Bad recipient address syntax'),
  needsUtf8: line('553 5.6.7 Address needs SMTPUTF8'),
  unknownParameter: line('555 5.5.4 Parameter not recognised'),
  helloFirst: line('503 5.5.1 Say EHLO or HELO first'),
  mailFirst: line('503 5.5.1 MAIL first'),
  nestedMail: line('503 5.5.1 A transaction is under way'),
  recipientFirst: line('503 5.5.1 RCPT first'),
  noValidRecipients: line('554 5.5.1 No valid recipients'),
  chunksUnderWay: line('503 5.5.1 A message is being sent in chunks'),
  alreadySecure: line('503 5.5.1 TLS is in use'),
  authTooSoon: line('554 5.5.0 Data before the reply to AUTH'),
  alreadyAuthenticated: line('503 5.5.1 Already authenticated'),
  authCancelled: line('501 5.7.0 Authentication cancelled'),
  badBase64: line('501 5.5.2 Not base64'),
  saslLineTooLong: line('500 5.5.6 Line of the authentication exchange is too long'),
  unknownMechanism: line('504 5.5.4 Authentication mechanism not known'),
  encryptFirst: line('538 5.7.11 Authentication needs TLS: say STARTTLS first'),
  wrongCredentials: line('535 5.7.8 Wrong user name or password'),
  tooManyWrongCredentials: line('454 4.7.0 Too many wrong passwords from your network, try again later'),
  authFailed: line('454 4.7.0 Authentication cannot be checked, try again later'),
  dataTooSoon: line('554 5.5.0 Data before 354'),

  unknownRecipient: line('550 5.1.1 No such recipient'),
  relayDenied: line('550 5.7.1 Relaying denied'),
  blockedSender: line('550 5.7.1 Mail from this sender is refused here'),
  blockedNetwork: line('554 5.7.1 Mail from your network is refused here'),
  dmarcRefused: line('550 5.7.1 Refused by the DMARC policy of the From domain'),
  recipientFull: line('452 4.2.2 Recipient is over quota'),
  tooManyRecipients: line('452 4.5.3 Too many recipients'),
  tooBig: line('552 5.3.4 Message is too big'),
  bareCarriageReturnOrLineFeed: line('550 5.6.11 Bare CR or LF in message'),
  loop: line('554 5.4.6 Too many hops'),
  localError: line('451 4.3.0 Local error, try again later'),
  storageFull: line('452 4.3.1 Insufficient storage, try again later'),

  slowDown: line('450 4.7.1 Too many messages, try again later'),
  tooManyUnknownOfNetwork: line('450 4.7.1 Too many unknown recipients from your network, try again later'),
  tooManyErrors: line('421 4.7.0 Too many errors, closing connection'),
  tooManyUnknown: line('421 4.7.0 Too many unknown recipients, closing connection'),
  tooManyFromAddress: line('421 4.7.0 Too many connections from your address, try again later'),
  spokeTooSoon: line('554 5.5.0 Data before the greeting'),
  tooManyFromNetwork: line('421 4.7.0 Too many connections from your network, try again later'),
  badProxyHeader: line('421 4.3.0 No valid PROXY header'),
  overloaded: line('421 4.3.2 Overloaded, try again later'),
  shuttingDown: line('421 4.3.2 Shutting down, try again later'),
  tooManyConnections: line('421 4.3.2 Too many connections, try again later'),
  timeout: line('421 4.4.2 Timeout, closing connection'),
  /** For the record only: the peer is gone. */
  connectionLost: line('421 4.4.2 Connection lost'),
} as const;

/** The challenges of AUTH in base64: `Username:`, `Password:`, empty. */
export const challenges = {
  username: line('334 VXNlcm5hbWU6'),
  password: line('334 UGFzc3dvcmQ6'),
  empty: line('334 '),
} as const;

const names: ReadonlyMap<string, string> = new Map(
  Object.entries(replies).map(([name, reply]) => [
    reply,
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  ]),
);

/** Returns the reply's name in snake_case, for metrics. */
export function nameOf(reply: Reply): string {
  return names.get(reply) ?? 'other';
}

export function greeting(hostname: string): Reply {
  return line(`220 ${hostname} ESMTP`);
}

export function accepted(id: string): Reply {
  return line(`250 2.0.0 OK ${id}`);
}

/** Returns the refusal that a session configured. */
export function faultReply(code: number, text: string): Reply {
  return line(`${code} ${text}`);
}

/** Answers a BDAT chunk that is not the last (RFC 3030 §2). */
export function chunkTaken(sizeBytes: number): Reply {
  return line(`250 2.0.0 ${sizeBytes} octets received`);
}

/** Joins several lines, all but the last with a hyphen (RFC 5321 §4.2.1). */
export function helloReply(hostname: string, extensions: readonly string[]): Reply {
  const lines = [hostname, ...extensions];
  return lines
    .map((text, index) => line(`250${index === lines.length - 1 ? ' ' : '-'}${text}`))
    .join('') as Reply;
}

/** Reports whether the reply refuses a recipient that an honest sender seldom names. */
export function isGuess(reply: Reply): boolean {
  return (
    reply === replies.unknownRecipient ||
    reply === replies.relayDenied ||
    reply === replies.tooManyUnknownOfNetwork
  );
}

/**
 * Reports whether the reply answers a mistake. A pipelining sender cannot know that all its recipients were refused.
 */
export function isFault(reply: Reply): boolean {
  return reply !== replies.noValidRecipients;
}

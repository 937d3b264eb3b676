// An inbox that takes mail for any recipient: for every address at its own domain, and for any address at all on an
// SMTP connection that logs in as it.

import { Inbox, type InboxParts } from './inbox.ts';
import type { Siblings } from './siblings.ts';
import type { Transport } from './transport.ts';

/** The SMTP server and login for sending mail to the inbox. */
export interface SmtpLogin {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export class Capture extends Inbox {
  readonly smtp: SmtpLogin;

  constructor(
    transport: Transport,
    siblings: Siblings<Inbox>,
    parts: InboxParts & { readonly smtp: SmtpLogin },
  ) {
    super(transport, siblings, parts);
    this.smtp = parts.smtp;
  }

  /** Returns an address at its domain, with any local part. */
  override address(localPart: string): string {
    if (!/^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/.test(localPart)) {
      throw new RangeError(`Not a local part: ${JSON.stringify(localPart)}`);
    }
    return `${localPart}${this.email.slice(this.email.lastIndexOf('@'))}`;
  }
}

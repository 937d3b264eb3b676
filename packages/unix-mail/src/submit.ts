// Sends one message over SMTP, for sendmail.

import { SmtpConnection, type SmtpServer } from './smtp-connection.ts';
import type { Submission } from './sendmail-message.ts';
import { sysexits } from './sysexits.ts';

/** @throws SendmailError when it was not accepted */
export async function submit(server: SmtpServer, submission: Submission): Promise<void> {
  const connection = await SmtpConnection.open(server);
  try {
    await connection.greet(server.login);
    const { sender, recipients, message } = submission;
    await connection.ask(`MAIL FROM:<${sender}>${parametersFor(connection, submission)}`);
    for (const recipient of recipients) await connection.ask(`RCPT TO:<${recipient}>`, sysexits.noUser);
    await connection.ask('DATA');
    await connection.ask(`${stuffDots(message)}.`);
  } finally {
    connection.end();
  }
}

function parametersFor(connection: SmtpConnection, { sender, recipients, message }: Submission): string {
  const isWide = [sender, ...recipients].some((address) => /[^\x00-\x7f]/.test(address));
  const parameters = [
    ...(connection.offers('SIZE') ? [`SIZE=${message.length}`] : []),
    ...(connection.offers('8BITMIME') ? ['BODY=8BITMIME'] : []),
    ...(isWide && connection.offers('SMTPUTF8') ? ['SMTPUTF8'] : []),
  ];
  return parameters.map((one) => ` ${one}`).join('');
}

/** RFC 5321 §4.5.2; ends with a line end. */
function stuffDots(message: Buffer): string {
  const text = message.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  return text.endsWith('\r\n') ? text : `${text}\r\n`;
}

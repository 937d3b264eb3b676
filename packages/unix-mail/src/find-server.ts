// Where sendmail sends to: an option, else SMTP_URL, else SMTP_HOST and SMTP_PORT, else where `mayfly dev` listens.

import type { SmtpServer } from './smtp-connection.ts';
import { SendmailError, sysexits } from './sysexits.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const defaultServer = 'smtp://127.0.0.1:1025';

/**
 * @param given by an option, as host and port
 * @param login where the address has none
 * @throws SendmailError usage
 */
export function findServer(
  environment: Environment,
  given: string | undefined,
  login?: SmtpServer['login'],
): SmtpServer {
  const text =
    given === undefined ? (environment['SMTP_URL'] ?? fromHostAndPort(environment)) : `smtp://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'smtp:' || url.hostname === '') {
    throw new SendmailError(
      sysexits.usage,
      'The server must be given as smtp://HOST:PORT in SMTP_URL, or by -S HOST:PORT.',
    );
  }
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port === '' ? 25 : url.port),
    login: user === '' ? login : { user, password: decodeURIComponent(url.password) },
  };
}

function fromHostAndPort({ SMTP_HOST: host, SMTP_PORT: port = '1025' }: Environment): string {
  return host === undefined ? defaultServer : `smtp://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

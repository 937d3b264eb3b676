// Checks a message's authentication against a table instead of DNS.

import { type AuthenticationRequest, checkAuthentication } from '#mail-receiver/check-authentication';
import { type DnsResolver, LookUpError } from '#mail-receiver/dns-resolver';
import { findOwnThread, openThreadClock } from '#threads/thread-clock';
import { createRsaKey, mailFrom } from './signed-mail.ts';

export const key = createRsaKey();
export const good = { domain: 'good.test', selector: 's', key };

export const texts: Record<string, string | Error> = {
  'good.test': 'v=spf1 -all',
  'spf.test': 'v=spf1 ip4:192.0.2.1 -all',
  '_dmarc.spf.test': 'v=DMARC1; p=reject',
  's._domainkey.good.test': key.record,
  's._domainkey.other.test': key.record,
  '_dmarc.good.test': 'v=DMARC1; p=Reject',
  's._domainkey.down.test': new LookUpError('ETIMEOUT', 'DNS timeout'),
  '_dmarc.down.test': 'v=DMARC1; p=reject; t=y',
  '_dmarc.silent.test': new LookUpError('ETIMEOUT', 'DNS timeout'),
};

/** Answers from the table, and records the queries. */
export function createTable(): DnsResolver & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    forMessage: () => {
      let hasFailed = false;
      return {
        lookUp: (name, type) => {
          asked.push(name);
          const text = type === 'TXT' ? texts[name] : undefined;
          if (text instanceof Error) hasFailed = true;
          if (typeof text === 'string') return Promise.resolve([[text]]);
          return Promise.reject(text ?? new LookUpError('ENOTFOUND', 'no such record'));
        },
        get hasFailed() {
          return hasFailed;
        },
        end: () => undefined,
      };
    },
  };
}

export function check(
  raw: string | Buffer,
  given: Partial<AuthenticationRequest> = {},
  resolver = createTable(),
) {
  const request = {
    remoteAddress: '192.0.2.1',
    helo: 'mx.client.test',
    mailFrom: null,
    fromDomain: 'good.test',
  };
  const openClock = () => openThreadClock(findOwnThread());
  return checkAuthentication(
    { ...request, raw: new Uint8Array(Buffer.from(raw)), ...given },
    { resolver, openClock },
  );
}

export const mail = mailFrom('news@good.test');

// The page from outside: its name, its certificate, and what proxies before it say of the client.

import type { PageFacts } from '../facts.ts';
import { type Finding, findingsOf } from '../finding.ts';
import { endsSoon, toDate } from './certificate.ts';

export function checkPage({ url, fetched, visit, hasNodes }: PageFacts, now: number): Finding {
  const found = findingsOf('page', url);
  if (url === '') {
    return found.unknown(
      'The address of the page is not known.',
      'Set MAYFLY_HTTP_PUBLIC_URL, as https://mail.example.org.',
    );
  }
  const host = new URL(url).hostname;
  if (!fetched) return found.unknown(`${url} was not asked for.`, 'Try again.');
  if ('problem' in fetched) {
    switch (fetched.problem) {
      case 'name':
        return found.failed(`${host} has no address.`, `Add A and AAAA records for ${host}.`);
      case 'certificate':
        return found.failed(
          `The certificate of ${host} is not valid: ${fetched.reason}.`,
          'See `mayfly certificate show`, or the certificate of the proxy.',
        );
      case 'connection':
        return found.failed(
          `${url} cannot be reached: ${fetched.reason}.`,
          'Open port 443 in the firewall, and see that the service or its proxy listens there.',
        );
      case 'time':
        return found.unknown(`${url} did not answer in time.`, 'Try again from another network.');
    }
  }
  if (fetched.status !== 200) {
    return found.failed(
      `${url} answers ${fetched.status}.`,
      fetched.status === 421
        ? 'Let the proxy pass on the Host field, or name the host in MAYFLY_HTTP_HOSTS.'
        : 'Let the host lead to this service, at MAYFLY_HTTP_BASE_PATH.',
    );
  }
  if (!visit && !hasNodes) {
    return found.failed(`${url} is answered by another server.`, `Let ${host} lead to this server.`);
  }
  if (!url.startsWith('https:')) {
    return found.warning(`${url} is not encrypted.`, 'Set MAYFLY_HTTP_TLS=acme and an https:// address.');
  }
  const { certificate } = fetched;
  if (certificate && endsSoon(certificate, now)) {
    return found.warning(
      `The certificate of ${host} ends on ${toDate(certificate.until)}.`,
      'See `mayfly certificate show`, or why the proxy does not renew its own.',
    );
  }
  return found.ok(`${url} answers, with a valid certificate.`);
}

export function checkProxies({ url, visit, fetched, endsTls, proxyField }: PageFacts): Finding {
  const found = findingsOf('proxy');
  if (!visit) {
    const isAnswered = fetched !== undefined && 'status' in fetched;
    return found.unknown(
      `How proxies before the page name its clients is not known, since ${isAnswered ? 'the request came elsewhere' : 'the page was not reached'}.`,
      'First mend the page.',
    );
  }
  const { peer, isPeerTrusted, hasField } = visit;
  if (isPeerTrusted && !hasField) {
    return found.failed(
      `The proxy ${peer} does not send ${proxyField}, so every limit counts the proxy.`,
      `Have it set ${proxyField}, as docs/operations.md shows.`,
    );
  }
  if (isPeerTrusted) return found.ok(`The proxy ${peer} names its clients.`);
  // Nothing before our own listener can read HTTPS.
  if (endsTls) return found.ok('No proxy is before the page.');
  if (hasField || url.startsWith('https:')) {
    return found.failed(
      `The proxy ${peer} is not trusted, so every limit counts it instead of its clients.`,
      `Set MAYFLY_HTTP_TRUSTED_PROXIES=${peer}.`,
    );
  }
  return found.ok('No proxy is before the page.');
}

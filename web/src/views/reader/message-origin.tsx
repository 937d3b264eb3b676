// The message's sender, the result of the checks on it, the recipients and the date. The first line is all most people
// need; the rest opens on request.
import type { Signal } from '@preact/signals';
import type { ComponentChildren, VNode } from 'preact';

import type { CheckName, FullMessage, Mailbox as MailAddress } from '../../api/answers.ts';
import { Icon } from '../../icons/icon.tsx';
import { locale, t, tn } from '../../i18n/translate.ts';
import { toLinkDisplay } from '../../state/mail/link-display.ts';
import { namesAnother, showAddress } from '../../state/mail/shown-sender.ts';
import { type Trust, toTrust } from '../../state/mail/trust.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import { formatFull, formatMoment, parseTimestamp } from '../../state/timestamp.ts';
import { sizeWords } from '../parts/size-words.ts';
import { outwards } from './outward-link.ts';

export interface MessageOriginProps {
  readonly mailbox: Mailbox;
  readonly message: FullMessage;
  /** Whether remote images are loaded. */
  readonly hasImages: Signal<boolean>;
  readonly isFramed: boolean;
}

export function MessageOrigin({ mailbox, message, hasImages, isFramed }: MessageOriginProps): VNode {
  const { sender_name: name } = message;
  const email = showAddress(message.sender_email);
  const at = parseTimestamp(message.received_at) - mailbox.skewMs;
  const trust = toTrust(message);
  const words = trustWords(trust);
  return (
    <div class="origin">
      <div class="origin-line">
        <div class="origin-who">
          <span class="origin-sender" dir="auto">
            {name || email || t('inbox.noSender')}
          </span>
          {name !== '' && email !== '' && <bdi class="origin-email">{email}</bdi>}
        </div>
        <time class="origin-time" dateTime={new Date(at).toISOString()} title={formatFull(at, locale.value)}>
          {formatMoment(at, Date.now(), locale.value)}
        </time>
      </div>
      {namesAnother(name, message.sender_email) && (
        <p class="origin-warning">
          <Icon name="warning" /> {t('message.otherAddress')}
        </p>
      )}
      <div class="origin-proof">
        {/* What testers look for first. */}
        <details class="origin-details" open={mailbox.isCapture}>
          <summary class={`trust is-${trust.kind}`}>
            <Icon name={trust.kind === 'verified' ? 'proven' : 'unproven'} />
            <span>{words.title}</span>
            <span class="origin-open">{t('message.details')}</span>
          </summary>
          <p>{words.hint}</p>
          {message.authentication_doubt !== null && (
            <p>
              {trust.kind !== 'doubtful' && t('auth.doubtfulHint')}
              <bdi class="fact-more"> ({message.authentication_doubt})</bdi>
            </p>
          )}
          <Facts message={message} received={formatFull(at, locale.value)} isForTesters={mailbox.isCapture} />
        </details>
        {isFramed && message.remote_images > 0 && !hasImages.value && (
          <Blocked
            count={message.remote_images}
            onLoad={() => {
              hasImages.value = true;
            }}
          />
        )}
      </div>
    </div>
  );
}

/** The number of blocked images, and the button to load them. */
function Blocked({ count, onLoad }: { readonly count: number; readonly onLoad: () => void }): VNode {
  return (
    <div class="blocked" title={t('message.blockedHint')}>
      <Icon name="image" />
      <span>{tn('message.blocked', count)}</span>
      <button type="button" class="text-button" title={t('message.blockedHint')} onClick={onLoad}>
        {t('message.loadImages')}
      </button>
    </div>
  );
}

function trustWords({ kind, domain }: Trust): { title: string; hint: string } {
  switch (kind) {
    case 'verified':
      return { title: t('auth.verified', { domain }), hint: t('auth.verifiedHint') };
    case 'forged':
      return { title: t('auth.forged', { domain }), hint: t('auth.forgedHint') };
    case 'doubtful':
      return { title: t('auth.doubtful'), hint: t('auth.doubtfulHint') };
    case 'later':
      return { title: t('auth.later'), hint: t('auth.laterHint') };
    case 'off':
      return { title: t('auth.off'), hint: t('auth.offHint') };
    case 'unproven':
      return { title: t('auth.unproven'), hint: t('auth.unprovenHint') };
  }
}

interface FactsProps {
  readonly message: FullMessage;
  readonly received: string;
  readonly isForTesters: boolean;
}

function Facts({ message, received, isForTesters }: FactsProps): VNode {
  const { to, cc, reply_to: replyTo, envelope } = message;
  return (
    <dl class="facts">
      <Fact name={t('message.from')}>
        {writeAddress({ name: message.sender_name, email: message.sender_email })}
      </Fact>
      {to.length > 0 && <Fact name={t('message.to')}>{writeAddresses(to)}</Fact>}
      {cc.length > 0 && <Fact name={t('message.cc')}>{writeAddresses(cc)}</Fact>}
      {isForTesters && <EnvelopeFacts message={message} />}
      {replyTo.length > 0 && <Fact name={t('message.replyTo')}>{writeAddresses(replyTo)}</Fact>}
      <Unsubscribe message={message} />
      <Fact name={t('message.size')}>{sizeWords(message.size)}</Fact>
      <Fact name={t('message.received')}>
        {received}. {t(envelope.tls === null ? 'auth.plain' : 'auth.encrypted', { ip: envelope.remote_ip })}
      </Fact>
      {(['dmarc', 'dkim', 'spf', 'arc'] as const).map((check) => (
        <CheckFact key={check} check={check} message={message} />
      ))}
    </dl>
  );
}

/** The envelope, and of its recipients those that the header does not name. */
function EnvelopeFacts({ message: { to, cc, envelope } }: { readonly message: FullMessage }): VNode {
  const named = new Set([...to, ...cc].map(({ email }) => email.toLowerCase()));
  const blind = envelope.rcpt_to.filter((recipient) => !named.has(recipient.toLowerCase()));
  return (
    <>
      {blind.length > 0 && <Fact name={t('dev.bcc')}>{writeList(blind.map(showAddress))}</Fact>}
      <Fact name={t('dev.envelope')}>
        <bdi>{envelope.mail_from ?? t('dev.envelopeNone')}</bdi> → {writeList(envelope.rcpt_to)}
      </Fact>
    </>
  );
}

/** The sender's link or address for unsubscribing, which only the reader follows. */
function Unsubscribe({ message }: { readonly message: FullMessage }): VNode | null {
  const { url, mailto } = message.unsubscribe;
  const link = url === null ? null : toLinkDisplay(url);
  if (!link && mailto === null) return null;
  return (
    <Fact name={t('message.unsubscribe')}>
      {link && <a {...outwards(link.href, message.links)}>{link.host}</a>}
      {link && mailto !== null && ' · '}
      {mailto !== null && <bdi>{mailto.replace(/^mailto:/i, '').replace(/\?.*$/, '')}</bdi>}
    </Fact>
  );
}

function CheckFact({
  check,
  message,
}: {
  readonly check: CheckName;
  readonly message: FullMessage;
}): VNode | null {
  const result = message.authentication[check];
  if (result === null || (check === 'arc' && result === 'none')) return null;
  const about = message.authentication_details?.[check];
  const more = [about?.domain, about?.reason].filter(Boolean).join(', ');
  return (
    <Fact name={t(`auth.${check}` as const)}>
      {resultWords(result)}
      {more !== '' && <bdi class="fact-more"> ({more})</bdi>}
    </Fact>
  );
}

const results = {
  pass: 'auth.result.pass',
  fail: 'auth.result.fail',
  softfail: 'auth.result.softfail',
  neutral: 'auth.result.neutral',
  none: 'auth.result.none',
  policy: 'auth.result.policy',
  temperror: 'auth.result.temperror',
  permerror: 'auth.result.permerror',
} as const;

function resultWords(result: string): string {
  return Object.hasOwn(results, result) ? t(results[result as keyof typeof results]) : result;
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }): VNode {
  return (
    <div class="fact">
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

const mostAddresses = 20;

function writeAddresses(addresses: readonly MailAddress[]): string {
  return writeList(addresses.map(writeAddress));
}

function writeList(words: readonly string[]): string {
  const written = words.slice(0, mostAddresses).join(', ');
  return words.length > mostAddresses ? `${written}, …` : written;
}

function writeAddress({ name, email }: MailAddress): string {
  if (email === '') return name || t('inbox.noSender');
  return name === '' ? showAddress(email) : `${name} <${showAddress(email)}>`;
}

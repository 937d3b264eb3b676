// The codes of a message, and its links that confirm or sign in, which are what most people open it for. Links show
// plainly where they lead; only the reader follows them.
import type { VNode } from 'preact';

import type { FoundCode, FoundLink, FullMessage } from '../../api/answers.ts';
import { Icon } from '../../icons/icon.tsx';
import { t, tn } from '../../i18n/translate.ts';
import { toLinkDisplay } from '../../state/mail/link-display.ts';
import { usefulCodes, usefulLinks } from '../../state/mail/useful-finds.ts';
import { CodeWords } from '../parts/code-words.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { outwards } from './outward-link.ts';

const sureFrom = 0.8;
const mostCodes = 4;
const mostLinks = 3;

const linkKinds = {
  verify: 'message.link.verify',
  login: 'message.link.login',
  reset: 'message.link.reset',
  invite: 'message.link.invite',
} as const;
type UsefulKind = keyof typeof linkKinds;

type Find = { readonly code: FoundCode } | { readonly link: FoundLink };

export function MessageFinds({ message }: { readonly message: FullMessage }): VNode | null {
  const codes = usefulCodes(message).slice(0, mostCodes);
  const links = usefulLinks(message).slice(0, mostLinks);
  const isSure = codes[0] !== undefined && isCertain(codes[0]);
  const found: Find[] = [...codes.map((code) => ({ code })), ...links.map((link) => ({ link }))];
  // A confirming link ranks above an uncertain code.
  const [first, ...others] = isSure
    ? found
    : found.toSorted((a, b) => Number('code' in a) - Number('code' in b));
  if (!first) return null;
  return (
    <div class="finds">
      <FindBar find={first} links={message.links} />
      {others.length > 0 && (
        <details class="more-finds">
          <summary>{tn('message.moreFinds', others.length)}</summary>
          {others.map((find, at) => (
            <FindBar key={at} find={find} links={message.links} />
          ))}
        </details>
      )}
    </div>
  );
}

interface FindBarProps {
  readonly find: Find;
  readonly links: FullMessage['links'];
}

function FindBar({ find, links }: FindBarProps): VNode | null {
  return 'code' in find ? <CodeBar code={find.code} /> : <LinkBar link={find.link} links={links} />;
}

/** A code of quoted mail is seldom what the reader looks for. */
function isCertain({ kind, confidence }: FoundCode): boolean {
  return confidence >= sureFrom && kind !== 'quoted';
}

function CodeBar({ code }: { readonly code: FoundCode }): VNode {
  const { value, kind } = code;
  const isSure = isCertain(code);
  const isNamed = isSure || kind === 'quoted';
  return (
    <div class={`find ${isSure ? 'code-bar' : 'is-unsure'}`}>
      <div class="code-words">
        <span class="code-label">{isNamed ? codeWords(kind) : t('message.maybeCode')}</span>
        <CodeWords code={value} />
      </div>
      <CopyButton
        class={`button ${isSure ? 'is-code' : ''}`}
        text={value}
        label={t('message.copyCode')}
        done={t('inbox.codeCopied', { code: value })}
      />
    </div>
  );
}

function codeWords(kind: string): string {
  const keys = {
    otp: 'message.kind.otp',
    pin: 'message.kind.pin',
    pickup: 'message.kind.pickup',
    password: 'message.kind.password',
    backup: 'message.kind.backup',
    quoted: 'message.kind.quoted',
  } as const;
  return t(Object.hasOwn(keys, kind) ? keys[kind as keyof typeof keys] : 'message.kind.otp');
}

interface LinkBarProps {
  readonly link: FoundLink;
  readonly links: FullMessage['links'];
}

function LinkBar({ link, links }: LinkBarProps): VNode | null {
  const shown = toLinkDisplay(link.url);
  if (!shown) return null;
  const { href, host, isInsecure } = shown;
  return (
    <div class="find is-link">
      <div class="find-words">
        <span class="code-label">{t(linkKinds[link.kind as UsefulKind])}</span>
        <bdi class="find-host" dir="ltr">
          {host}
        </bdi>
        {link.flags.map((flag) => (
          <span key={flag} class="find-warning">
            <Icon name="warning" />
            <span>{t(`message.flag.${flag}`)}</span>
          </span>
        ))}
        {isInsecure && (
          <span class="find-warning">
            <Icon name="warning" />
            <span>{t('message.insecure')}</span>
          </span>
        )}
      </div>
      <div class="find-actions">
        <CopyButton text={link.url} label={t('message.copyLink')} done={t('message.linkCopied')} />
        <a
          class={`button find-open ${link.flags.length === 0 ? 'is-primary' : ''}`}
          {...outwards(href, links)}
        >
          <Icon name="open" />
          <span>{t('message.openLink')}</span>
        </a>
      </div>
    </div>
  );
}

// What most people open a message for: its codes, and the links that confirm or sign in. Links say plainly where they
// lead; nothing is followed but by the reader.
import type { VNode } from 'preact';

import type { FoundCode, FoundLink, FullMessage } from '../api/answers.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../i18n/translate.ts';
import { toLinkDisplay } from '../state/link-display.ts';
import { CopyButton } from './copy-button.tsx';

const sureFrom = 0.8;
const worthShowingFrom = 0.5;
const mostCodes = 4;
const mostLinks = 3;

const linkKinds = {
  verify: 'message.link.verify',
  login: 'message.link.login',
  reset: 'message.link.reset',
  invite: 'message.link.invite',
} as const;
type UsefulKind = keyof typeof linkKinds;

export function MessageFinds({ message }: { readonly message: FullMessage }): VNode | null {
  const codes = message.codes.filter(({ confidence }) => confidence >= worthShowingFrom).slice(0, mostCodes);
  const links = message.links.filter(({ kind }) => Object.hasOwn(linkKinds, kind)).slice(0, mostLinks);
  if (codes.length === 0 && links.length === 0) return null;
  return (
    <div class="finds">
      {codes.map((code) => (
        <CodeCard key={code.value} code={code} />
      ))}
      {links.map((link) => (
        <LinkCard key={link.url} link={link} />
      ))}
    </div>
  );
}

function CodeCard({ code: { value, kind, confidence } }: { readonly code: FoundCode }): VNode {
  return (
    <div class={`find is-code${confidence < sureFrom ? ' is-unsure' : ''}`}>
      <div class="find-words">
        <span class="find-label">{confidence < sureFrom ? t('message.maybeCode') : codeWords(kind)}</span>
        <strong class="code" dir="ltr">
          {value}
        </strong>
      </div>
      <CopyButton
        class={`button ${confidence < sureFrom ? '' : 'is-primary'}`}
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
    password: 'message.kind.password',
    backup: 'message.kind.backup',
  } as const;
  return t(Object.hasOwn(keys, kind) ? keys[kind as keyof typeof keys] : 'message.kind.otp');
}

function LinkCard({ link }: { readonly link: FoundLink }): VNode | null {
  const shown = toLinkDisplay(link.url);
  if (!shown) return null;
  const { href, host, isInsecure } = shown;
  return (
    <div class="find is-link">
      <div class="find-words">
        <span class="find-label">{t(linkKinds[link.kind as UsefulKind])}</span>
        <bdi class="find-host" dir="ltr">
          {host}
        </bdi>
        {link.flags.map((flag) => (
          <span key={flag} class="find-warning">
            <Icon name="warning" />
            <span>{t(`message.flag.${flag}` as const, { host })}</span>
          </span>
        ))}
        {isInsecure && (
          <span class="find-warning">
            <Icon name="warning" />
            <span>{t('message.insecure')}</span>
          </span>
        )}
      </div>
      <CopyButton text={link.url} label={t('message.copyLink')} done={t('message.linkCopied')} />
      <a
        class={`button ${link.flags.length === 0 ? 'is-primary' : ''}`}
        href={href}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        <Icon name="open" />
        <span>{t('message.openLink')}</span>
      </a>
    </div>
  );
}

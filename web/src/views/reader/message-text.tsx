// The plain text of a message, with clickable links, and with quoted mail and the signature folded. Built only from text
// nodes and links.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';

import type { FullMessage } from '../../api/answers.ts';
import { t } from '../../i18n/translate.ts';
import { foldText } from '../../state/mail/fold-text.ts';
import { toTextPieces } from '../../state/mail/link-display.ts';
import { usefulCodes, usefulLinks } from '../../state/mail/useful-finds.ts';
import { outwards } from './outward-link.ts';

export function MessageText({ message }: { readonly message: FullMessage }): VNode {
  const { text } = message;
  const pieces = useMemo(() => {
    const codes = usefulCodes(message).map(({ value }) => value);
    return foldText(text, [...codes, ...usefulLinks(message).map(({ url }) => url)]);
  }, [message]);
  if (text.trim() === '') return <p class="quiet-note">{t('message.empty')}</p>;
  return (
    <div class="plain" dir="auto" data-testid="text">
      {pieces.map((piece, at) =>
        piece.isFolded ? (
          <details key={at} class="fold">
            <summary aria-label={t('mail.quoted')}>•••</summary>
            <Words text={piece.text} message={message} />
          </details>
        ) : (
          <Words key={at} text={piece.text} message={message} />
        ),
      )}
    </div>
  );
}

interface WordsProps {
  readonly text: string;
  readonly message: FullMessage;
}

function Words({ text, message: { links } }: WordsProps): VNode {
  const pieces = useMemo(() => toTextPieces(text), [text]);
  return (
    <>
      {pieces.map(({ text: words, link }, at) =>
        link ? (
          <a key={at} title={link.host} {...outwards(link.href, links)}>
            {words}
          </a>
        ) : (
          words
        ),
      )}
    </>
  );
}

// The plain text of a message, with clickable links. Built only from text nodes and links.
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';

import { t } from '../../i18n/translate.ts';
import { toTextPieces } from '../../state/mail/link-display.ts';

export function MessageText({ text }: { readonly text: string }): VNode {
  const pieces = useMemo(() => toTextPieces(text), [text]);
  if (text.trim() === '') return <p class="quiet-note">{t('message.empty')}</p>;
  return (
    <div class="plain" dir="auto" data-testid="text">
      {pieces.map(({ text: words, link }, at) =>
        link ? (
          <a key={at} href={link.href} target="_blank" rel="noopener noreferrer nofollow" title={link.host}>
            {words}
          </a>
        ) : (
          words
        ),
      )}
    </div>
  );
}

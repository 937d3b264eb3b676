// The system's notification of a new message, with a button that copies its code. Loaded with the first of them.
import type { MessageSummary } from '../../api/answers.ts';
import { t } from '../../i18n/translate.ts';
import { showSender } from '../../state/mail/shown-sender.ts';
import type { Mailbox } from '../../state/mailbox.ts';

export interface Arrival {
  readonly mailbox: Mailbox;
  readonly message: MessageSummary;
  /** All about it in a sentence. */
  readonly words: string;
}

/** @param open called when it is chosen, unless the service worker reports that */
export async function showNotification(
  { mailbox, message, words }: Arrival,
  open: (mailbox: Mailbox, id: number) => void,
): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const sign = message.code ?? (showSender(message) || t('inbox.noSender'));
  const title = mailbox.label.value === '' ? sign : `${sign} · ${mailbox.label.value}`;
  const options = {
    body: message.code === null ? message.subject : words,
    // A push message for the same mail has the same tag, so that only one of the two is shown.
    tag: `${mailbox.push.value || mailbox.email} ${message.id}`,
    data: { email: mailbox.email, id: message.id },
    icon: new URL('icon.svg', document.baseURI).href,
  };
  // Only a service worker's notifications have buttons, and on phones there are no others.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker?.active) {
    const actions = message.code === null ? [] : [{ action: 'copy', title: t('message.copyCode') }];
    await worker.showNotification(title, { ...options, actions } as NotificationOptions);
    return;
  }
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    open(mailbox, message.id);
    shown.close();
  };
}

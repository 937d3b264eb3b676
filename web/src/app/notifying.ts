// Turns system notifications on and off.
import { t } from '../i18n/translate.ts';
import { changeSettings } from '../state/settings.ts';
import { notify } from './notices.ts';

/** Browsers notify for no page over plain http, whatever its settings are. */
export function canNotify(): boolean {
  return window.isSecureContext && 'Notification' in window;
}

/** Must run in a user gesture, or browsers refuse to ask for permission. */
export async function setNotify(isOn: boolean): Promise<void> {
  const isAllowed = !isOn || (await Notification.requestPermission()) === 'granted';
  // Set even if permission is refused, so that the box shows it.
  changeSettings({ notify: isOn });
  if (isAllowed) return;
  changeSettings({ notify: false });
  notify({ kind: 'error', text: t('settings.notifyBlocked') });
}

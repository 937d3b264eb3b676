// Turning notifications of the system on and off.
import { t } from '../i18n/translate.ts';
import { changeSettings } from '../state/settings.ts';
import { notify } from './notices.ts';

export function canNotify(): boolean {
  return 'Notification' in window;
}

/** Only a person's own tap may ask for the permission. */
export async function setNotify(isOn: boolean): Promise<void> {
  const isAllowed = !isOn || (await Notification.requestPermission()) === 'granted';
  // Set even when it is refused, so that the box shows it.
  changeSettings({ notify: isOn });
  if (isAllowed) return;
  changeSettings({ notify: false });
  notify({ kind: 'error', text: t('settings.notifyBlocked') });
}

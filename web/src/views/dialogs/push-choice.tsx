// The checkbox for notifications while the page is closed. Shown where the service offers them.
import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { findOffer, setPush } from '../../app/push.ts';
import { logFault, reportError } from '../../app/report-fault.ts';
import { t } from '../../i18n/translate.ts';
import { settings } from '../../state/settings.ts';
import { Toggle } from '../parts/toggle.tsx';

export function PushChoice(): VNode | null {
  const isOffered = useSignal(Boolean(settings.value.push));
  const isBusy = useSignal(false);
  useEffect(() => {
    findOffer().then((key) => {
      isOffered.value ||= key !== null;
    }, logFault);
  }, [isOffered]);
  if (!isOffered.value) return null;
  return (
    <Toggle
      isOn={Boolean(settings.value.push) || isBusy.value}
      onChange={(isOn) => {
        isBusy.value = isOn;
        setPush(isOn)
          .catch(reportError)
          .finally(() => {
            isBusy.value = false;
          });
      }}
    >
      {t('push.choice')}
      <small>{t('push.hint')}</small>
    </Toggle>
  );
}

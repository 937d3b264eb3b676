// The settings for language, appearance, notifications and keys, and the way to forget everything.
import type { VNode } from 'preact';

import { closeDialog, type DialogName, openDialog } from '../../app/navigation.ts';
import { playChime } from '../../app/chime.ts';
import { canNotify, setNotify } from '../../app/notifying.ts';
import { inBackground } from '../../app/report-fault.ts';
import { languages } from '../../i18n/languages.ts';
import { chooseLanguage, language, t } from '../../i18n/translate.ts';
import { changeSettings, settings } from '../../state/settings.ts';
import { ForgetForm } from './forget-form.tsx';
import { lazyView } from '../parts/lazy.tsx';
import { Modal } from './modal.tsx';
import { Toggle } from '../parts/toggle.tsx';

const PushChoice = lazyView(async () => (await import('./push-choice.tsx')).PushChoice);

export function SettingsDialog(): VNode {
  return (
    <Modal title={t('settings.title')}>
      <div class="form">
        <LanguageChoice />
        <ThemeChoice />
        <fieldset class="options">
          <legend>{t('settings.arrivals')}</legend>
          <Toggle isOn={settings.value.sound} onChange={setSound}>
            {t('settings.sound')}
          </Toggle>
          {canNotify() && (
            <Toggle
              isOn={settings.value.notify}
              onChange={(isOn) => {
                inBackground(setNotify(isOn));
              }}
            >
              {t('settings.notify')}
            </Toggle>
          )}
          {canNotify() && <PushChoice />}
          <Toggle
            isOn={settings.value.copies}
            onChange={(copies) => {
              changeSettings({ copies });
            }}
          >
            {t('settings.copies')}
          </Toggle>
        </fieldset>
        <fieldset class="options">
          <legend>{t('settings.keyboard')}</legend>
          <Toggle
            isOn={settings.value.keys}
            onChange={(keys) => {
              changeSettings({ keys });
            }}
          >
            {t('settings.keys')}
            <small>{t('settings.keysHint')}</small>
          </Toggle>
        </fieldset>
        <Links />
        <ForgetForm />
      </div>
    </Modal>
  );
}

function Links(): VNode {
  return (
    <div class="settings-links">
      <DialogLink opens="keep" words={t('keep.title')} />
      <DialogLink opens="keys" words={t('app.shortcuts')} />
      <a class="button is-quiet" href="./docs">
        {t('app.docs')}
      </a>
    </div>
  );
}

function DialogLink({ opens, words }: { readonly opens: DialogName; readonly words: string }): VNode {
  return (
    <button
      type="button"
      class="button is-quiet"
      onClick={() => {
        closeDialog();
        openDialog(opens);
      }}
    >
      {words}
    </button>
  );
}

function LanguageChoice(): VNode {
  return (
    <label class="field">
      <span>{t('settings.language')}</span>
      <select
        value={language.value}
        onChange={(event) => {
          inBackground(chooseLanguage(event.currentTarget.value));
        }}
      >
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function ThemeChoice(): VNode {
  return (
    <fieldset class="segments-field">
      <legend>{t('settings.theme')}</legend>
      <div class="segments">
        {(['system', 'light', 'dark'] as const).map((theme) => (
          <label key={theme} class="segment">
            <input
              type="radio"
              name="theme"
              checked={settings.value.theme === theme}
              onChange={() => {
                changeSettings({ theme });
              }}
            />
            <span>{t(`settings.theme.${theme}` as const)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function setSound(sound: boolean): void {
  changeSettings({ sound });
  if (sound) playChime();
}

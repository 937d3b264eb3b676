// Lets the person have the icon on this site without pressing the button each time.
import { askWorker } from '../shared/ask-worker.ts';
import { element } from '../shared/element.ts';
import { readSettings, writeSettings } from '../shared/settings.ts';
import { fail } from './main.ts';
import { text } from '../shared/texts.ts';

/** Empty where the icon already shows everywhere. */
export async function sitesPart(pattern: string): Promise<HTMLElement> {
  const settings = await readSettings();
  if (settings.places === 'every') return element('span', '');
  const isAllowed = await chrome.permissions.contains({ origins: [pattern] });
  const isOn = isAllowed && settings.places === 'sites';
  const box = element('input', '');
  box.type = 'checkbox';
  box.checked = isOn;
  box.dataset['name'] = 'here';
  box.addEventListener('change', () => {
    // Asked at once: the browser takes the question only straight after a person's act.
    const origins = [pattern];
    const asked = box.checked
      ? chrome.permissions.request({ origins })
      : chrome.permissions.remove({ origins });
    asked
      .then(async (isDone) => {
        if (isDone && box.checked) await writeSettings({ ...(await readSettings()), places: 'sites' });
        if (!isDone) box.checked = !box.checked;
        await askWorker({ kind: 'changed' });
      })
      .catch(fail);
  });
  return element('label', 'note', box, ` ${text('showHere')}`);
}

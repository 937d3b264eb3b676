// The options, and the first thing a new person sees: which service, and where the icon shows.
import { askWorker } from '../shared/ask-worker.ts';
import { element } from '../shared/element.ts';
import { show } from './main.ts';
import { mark } from './mark.ts';
import {
  everywhere,
  patternOf,
  type Places,
  readSettings,
  type Settings,
  toServiceUrl,
  writeSettings,
} from '../shared/settings.ts';
import { text } from '../shared/texts.ts';

/** Seconds. */
const lifetimes = [0, 600, 3600, 6 * 3600, 24 * 3600];

export async function showOptions(): Promise<void> {
  document.title = `${text('name')} · ${text('settings')}`;
  draw(await readSettings());
}

function draw(settings: Settings): void {
  const service = input('text', settings.service, 'https://mail.example.org');
  service.className = 'url';
  service.autofocus = true;
  service.inputMode = 'url';
  const apiKey = input('password', settings.apiKey, '');
  apiKey.autocomplete = 'off';
  const lifetime = lifetimeField(settings.lifetime);
  const result = element('p', 'result');
  result.setAttribute('role', 'status');
  const save = element('button', 'act wide', text('save'));
  const form = element(
    'form',
    '',
    field(text('optionService'), service),
    field(text('optionKey'), apiKey),
    field(text('optionLifetime'), lifetime),
    placesField(settings.places),
    save,
    result,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = form.querySelector<HTMLInputElement>('[name=places]:checked')?.value;
    const url = toServiceUrl(service.value);
    if (url === undefined) {
      tell(result, text('optionServiceWrong'), true);
      return;
    }
    const made = {
      service: url,
      apiKey: apiKey.value.trim(),
      lifetime: Number(lifetime.value),
      places: chosen as Places,
    };
    // Asked at once: the browser takes the question only straight after a person's act.
    const origins = [patternOf(url), ...(made.places === 'every' ? everywhere : [])];
    chrome.permissions
      .request({ origins })
      .then((isAllowed) => keep(made, isAllowed))
      .then(
        (words) => {
          tell(result, words, false);
        },
        (error: unknown) => {
          tell(result, error instanceof Error ? error.message : String(error), true);
        },
      );
  });
  const head = element('div', 'head', mark(), element('h1', '', text('name')));
  show(head, element('p', '', text('description')), form);
}

/** Returns the answer in words. @throws Error with words for the person */
async function keep(settings: Settings, isAllowed: boolean): Promise<string> {
  if (!isAllowed) throw new Error(text('optionNotAllowed'));
  await writeSettings(settings);
  // Access that is not needed any more is given back.
  const { origins = [] } = await chrome.permissions.getAll();
  const spare = settings.places === 'every' ? [] : everywhere.filter((pattern) => origins.includes(pattern));
  if (spare.length > 0) await chrome.permissions.remove({ origins: spare });
  await askWorker({ kind: 'changed' });
  const domains = await askWorker<readonly string[]>({ kind: 'check' });
  return `${text('optionWorks')} ${domains.slice(0, 3).join(', ')}`;
}

function tell(result: HTMLElement, words: string, isWrong: boolean): void {
  result.textContent = words;
  result.classList.toggle('is-wrong', isWrong);
  result.scrollIntoView({ block: 'nearest' });
}

function input(type: string, value: string, placeholder: string): HTMLInputElement {
  const made = element('input', '');
  Object.assign(made, { type, value, placeholder, spellcheck: false, autocomplete: 'off' });
  return made;
}

function field(words: string, control: HTMLElement): HTMLElement {
  return element('label', 'field', element('span', 'name', words), control);
}

function lifetimeField(chosen: number): HTMLSelectElement {
  const select = element('select', '');
  for (const seconds of lifetimes) {
    const option = element('option', '', seconds === 0 ? text('optionUsual') : duration(seconds / 60));
    option.value = String(seconds);
    option.selected = seconds === chosen;
    select.append(option);
  }
  return select;
}

function duration(minutes: number): string {
  const [unit, count] = minutes < 60 ? (['minute', minutes] as const) : (['hour', minutes / 60] as const);
  return new Intl.NumberFormat(chrome.i18n.getUILanguage(), {
    style: 'unit',
    unit,
    unitDisplay: 'long',
  }).format(count);
}

function placesField(chosen: Places): HTMLElement {
  const choices: readonly (readonly [Places, words: string, hint: string])[] = [
    ['click', text('placesClick'), text('placesClickHint')],
    ['sites', text('placesSites'), text('placesSitesHint')],
    ['every', text('placesEvery'), ''],
  ];
  const labels = choices.map(([place, words, hint]) => {
    const radio = element('input', '');
    Object.assign(radio, { type: 'radio', name: 'places', value: place, checked: place === chosen });
    return element('label', 'choice', radio, element('span', '', words), element('span', 'small', hint));
  });
  return element('fieldset', '', element('legend', '', text('optionPlaces')), ...labels);
}

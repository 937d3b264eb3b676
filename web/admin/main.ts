// The operator's page: asks the admin interface with the key that the operator types, shows what it lists, and carries
// out what is chosen. Served on the operator's listener.

import './style.css';
import { type Answer, callOperation, forgetKey, hasKey, keepKey, show } from './call-operation.ts';
import { drawField, drawInput, element, fillTable, find, toTitle } from './elements.ts';
import { startRates } from './rates.ts';
import { type Action, type Section, sections } from './sections.ts';

const message = find('message', HTMLParagraphElement);
const shown = find('shown', HTMLDivElement);

interface DrawnSection {
  readonly section: Section;
  readonly table: HTMLTableElement;
  readonly search: HTMLInputElement | undefined;
}

const drawRates = startRates(find('rates', HTMLDivElement), () => !shown.hidden);

function say(text: string): void {
  message.textContent = text;
}

async function showAll(drawn: readonly DrawnSection[]): Promise<void> {
  const [status, ...answers] = await Promise.all([callOperation('status'), ...drawn.map(list)]);
  const figures = Object.entries(status).filter(([name]) => name !== 'status');
  find('status', HTMLDListElement).replaceChildren(
    ...figures.map(([name, value]) =>
      element('div', {}, [
        element('dt', { textContent: toTitle(name) }),
        element('dd', { textContent: show(value) }),
      ]),
    ),
  );
  for (const [at, { section, table }] of drawn.entries()) {
    const rows = answers[at]?.[section.list] as readonly Answer[];
    const onAction = (action: Action): void => {
      if (action.question !== undefined && !confirm(action.question)) return;
      void carryOut(drawn, () => callOperation(action.path, action.body));
    };
    fillTable(table, section, { rows, onAction });
  }
  shown.hidden = false;
  drawRates();
}

function list({ section, search }: DrawnSection): Promise<Answer> {
  const query = search && `?${search.name}=${encodeURIComponent(search.value)}`;
  return callOperation(section.path + (query ?? ''));
}

/** What an operation answered, in lines. */
function toLines(answer: Answer): string {
  return Object.entries(answer)
    .filter(([name]) => name !== 'status')
    .map(([name, value]) => {
      const text = Array.isArray(value) ? value.map(show).join('\n') : show(value);
      return `${toTitle(name)}: ${text}`;
    })
    .join('\n');
}

/** Then shows how things are, and what was answered. */
async function carryOut(drawn: readonly DrawnSection[], work: () => Answer | Promise<Answer>): Promise<void> {
  say('');
  try {
    const answer = toLines(await work());
    await showAll(drawn);
    say(answer);
  } catch (error) {
    say((error as Error).message);
  }
}

function onSubmit(form: HTMLFormElement, work: () => void): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    work();
  });
}

function drawSection(section: Section, drawn: readonly DrawnSection[]): DrawnSection {
  const { title, path, form, search } = section;
  const id = `${path}-title`;
  const table = element('table');
  const wide = element('div', { className: 'wide', tabIndex: 0, role: 'group' }, [table]);
  const region = element('section', {}, [element('h2', { id, textContent: title })]);
  for (const part of [wide, region]) part.setAttribute('aria-labelledby', id);
  const input = search && drawInput({ name: search.name });
  if (input) {
    const label = element('label', { textContent: `${search.label} ` }, [input]);
    const searching = element('form', {}, [label, element('button', { textContent: 'Search' })]);
    onSubmit(searching, () => void carryOut(drawn, () => ({})));
    region.append(searching);
  }
  if (form) {
    const button = element('button', { textContent: form.button });
    const filling = element('form', {}, [...form.fields.map(drawField), button]);
    onSubmit(filling, () => {
      void carryOut(drawn, async () => {
        const filled = [...new FormData(filling)].filter(([, value]) => value !== '');
        const answer = await callOperation(form.path, Object.fromEntries(filled));
        filling.reset();
        return answer;
      });
    });
    region.append(filling);
  }
  region.append(wide);
  shown.append(region);
  return { section, table, search: input };
}

const drawnSections: DrawnSection[] = [];
for (const section of sections) drawnSections.push(drawSection(section, drawnSections));
const keyInput = find('key', HTMLInputElement);
onSubmit(find('key-form', HTMLFormElement), () => {
  keepKey(keyInput.value);
  keyInput.value = '';
  void carryOut(drawnSections, () => ({}));
});
find('forget', HTMLButtonElement).addEventListener('click', () => {
  forgetKey();
  shown.hidden = true;
  say('The key is forgotten.');
});
if (hasKey()) void carryOut(drawnSections, () => ({}));

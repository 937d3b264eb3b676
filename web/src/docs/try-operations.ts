// Lets the reader of the docs try the operations, with a session made for it: the addresses open in this browser are
// neither read nor changed. The token stays in this page's memory.

interface Trying {
  readonly token: string;
  readonly email: string;
}

const longestAnswer = 20_000;
let trying: Trying | null = null;

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** `base`: the URL of the service, without a slash at its end. */
export function offerTrying(base: string): void {
  const note = document.querySelector<HTMLElement>('[data-trying]');
  const start = note?.querySelector('button');
  const words = note?.querySelector<HTMLElement>('[data-own]');
  if (!note || !start || !words) return;
  note.hidden = false;
  start.addEventListener('click', () => {
    startTrying(base).then(
      ({ email, token }) => {
        words.textContent = `${email} is yours to try. Send mail to it, or run the operations below.`;
        start.hidden = true;
        for (const example of document.querySelectorAll('[data-token]')) example.textContent = token;
      },
      (error: unknown) => {
        words.textContent = error instanceof Error ? error.message : String(error);
      },
    );
  });
  for (const section of document.querySelectorAll<HTMLElement>('section[data-method]')) {
    addForm(base, section);
  }
}

async function startTrying(base: string): Promise<Trying> {
  const response = await fetch(`${base}/create-session`, { method: 'POST' });
  const answer = (await response.json()) as { email?: string; token?: string; message?: string };
  const { email, token } = answer;
  if (email === undefined || token === undefined) throw new Error(answer.message ?? response.statusText);
  trying = { email, token };
  return trying;
}

function addForm(base: string, section: HTMLElement): void {
  const { method = 'GET', path = '', access } = section.dataset;
  // Streams do not end.
  if (path === '/events') return;
  const names = [...section.querySelectorAll<HTMLElement>('[data-parameter]')].flatMap(
    ({ dataset }) => dataset['parameter'] ?? [],
  );
  const fields = names.filter((name) => name !== 'token' && name !== 'ticket');
  const result = make('pre', { tabIndex: 0, hidden: true });
  const run = make('button', { type: 'submit' }, 'Run');
  const form = make(
    'form',
    {},
    ...fields.map((name) => make('label', {}, name, make('input', { name, autocomplete: 'off' }))),
    run,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    result.hidden = false;
    result.textContent = '…';
    const given = [...new FormData(form)].map(
      ([name, value]) => [name, typeof value === 'string' ? value : ''] as const,
    );
    ask({ base, method, path, needsToken: access === 'session' }, given).then(
      (text) => {
        result.textContent = text;
      },
      (error: unknown) => {
        result.textContent = error instanceof Error ? error.message : String(error);
      },
    );
  });
  section.append(make('details', { className: 'try' }, make('summary', {}, 'Try it'), form, result));
}

interface Asked {
  readonly base: string;
  readonly method: string;
  readonly path: string;
  readonly needsToken: boolean;
}

async function ask(
  { base, method, path, needsToken }: Asked,
  given: readonly (readonly [string, string])[],
): Promise<string> {
  const pairs = new URLSearchParams(
    given.filter(([, value]) => value !== '').map(([name, value]) => [name, value]),
  );
  const { token } = needsToken ? (trying ?? (await startTrying(base))) : { token: undefined };
  const startedAt = performance.now();
  const isGet = method === 'GET';
  const response = await fetch(`${base}${path}${isGet && pairs.size > 0 ? `?${pairs.toString()}` : ''}`, {
    method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(isGet ? {} : { body: pairs }),
  });
  const text = await response.text();
  const ms = Math.round(performance.now() - startedAt);
  return `${response.status} ${response.statusText}, ${ms} ms\n${toReadable(text).slice(0, longestAnswer)}`;
}

function toReadable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text;
  }
}

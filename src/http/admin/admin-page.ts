// The small page on the operator's listener: made here once, without data. Its script asks the admin interface with the
// key that the operator types, keeps that in the tab alone, and puts texts into the page as text. Served by
// create-admin-server.ts.

import type { Answer } from '../answer.ts';
import { html, type Html } from '../docs/html.ts';
import { adminScript } from './admin-script.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** What is listed: `id` is its table's, filled by the script. */
const sections = [
  { id: 'domains', title: 'Domains', columns: 'domain active quarantine_seconds last_mail_at' },
  {
    id: 'accounts',
    title: 'Gmail accounts',
    columns: 'email state state_since lag_seconds free_dot_variants live_sessions unmatched detail',
  },
  { id: 'sessions', title: 'Sessions', columns: 'email created_at expires_at message_count message_bytes' },
  { id: 'blocks', title: 'Blocked', columns: 'kind value note created_at' },
  { id: 'keys', title: 'Keys', columns: 'name admin scopes rate_per_minute uses last_used_at revoked_at' },
  { id: 'dead', title: 'Webhooks given up', columns: 'id event happened_at given_up_at tries reason' },
  { id: 'settings', title: 'Settings', columns: 'name value default' },
] as const;

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password' | 'number';
  readonly choices?: readonly string[];
  readonly isOptional?: true;
}

/** Each sends its fields to the operation of its name, under the section that they change. */
const forms: Readonly<Record<string, { path: string; button: string; fields: readonly Field[] }>> = {
  domains: {
    path: 'add-domain',
    button: 'Add domain',
    fields: [
      { name: 'name', label: 'Domain' },
      { name: 'quarantine', label: 'Seconds an address rests', type: 'number', isOptional: true },
    ],
  },
  accounts: {
    path: 'add-gmail-account',
    button: 'Add account',
    fields: [
      { name: 'email', label: 'Address' },
      { name: 'password', label: 'App password', type: 'password' },
    ],
  },
  blocks: {
    path: 'add-block',
    button: 'Block',
    fields: [
      { name: 'kind', label: 'Block', choices: ['sender', 'prefix', 'network'] },
      { name: 'value', label: 'Value' },
      { name: 'note', label: 'Note', isOptional: true },
    ],
  },
  keys: {
    path: 'add-key',
    button: 'Make key',
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'rate', label: 'Calls a minute', type: 'number', isOptional: true },
    ],
  },
};

function drawField({ name, label, type = 'text', choices, isOptional }: Field): Html {
  if (choices) {
    const options = choices.map((choice) => html`<option>${choice}</option>`);
    return html`<label
      >${label}
      <select name="${name}">
        ${options}
      </select></label
    >`;
  }
  const required = isOptional ? '' : 'required';
  return html`<label
    >${label} <input name="${name}" type="${type}" autocomplete="off" spellcheck="false" ${required}
  /></label>`;
}

function drawForm(id: string): Html {
  if (id === 'sessions') {
    return html`<form id="search-form">
      <label>Address begins with <input id="search" autocomplete="off" spellcheck="false" /></label>
      <button>Search</button>
    </form>`;
  }
  const form = forms[id];
  if (!form) return html``;
  return html`<form data-path="${form.path}">
    ${form.fields.map(drawField)} <button>${form.button}</button>
  </form>`;
}

const page = html`<!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width" />
      <title>Mayfly: operator</title>
      <link rel="stylesheet" href="/admin/style.css" />
      <script src="/admin/script.js" defer></script>
    </head>
    <body>
      <main>
        <h1>Mayfly</h1>
        <form id="key-form">
          <label
            >Admin key <input id="key" type="password" autocomplete="off" spellcheck="false" required
          /></label>
          <button>Show</button> <button id="forget" type="button">Forget the key</button>
        </form>
        <p id="message" role="status"></p>
        <div id="shown" hidden>
          <h2>Status</h2>
          <dl id="status"></dl>
          ${sections.map(
            ({ id, title, columns }) =>
              html`<section aria-labelledby="${id}-title">
                <h2 id="${id}-title">${title}</h2>
                ${drawForm(id)}
                <div class="wide" tabindex="0" role="group" aria-labelledby="${id}-title">
                  <table id="${id}" data-columns="${columns}"></table>
                </div>
              </section>`,
          )}
        </div>
      </main>
    </body>
  </html>`;

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 1rem auto; max-width: 75rem; padding: 0 1rem; }
form { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .75rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; }
input, select, button { font: inherit; padding: .15rem .5rem; min-height: 1.9rem; box-sizing: border-box; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dt { opacity: .8; }
dd { margin: 0; overflow-wrap: anywhere; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 38rem; }
th, td { border-bottom: 1px solid #8885; padding: .25rem .75rem .25rem 0; text-align: start; vertical-align: top; }
th { white-space: nowrap; font-weight: 600; }
td { max-width: 24rem; overflow-wrap: break-word; }
td button + button { margin-inline-start: .5rem; }
.none { opacity: .8; }
#message { min-height: 1.5em; white-space: pre-line; overflow-wrap: anywhere; }
`;

function asset(type: string, body: string): Answer {
  return {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    },
    body,
  };
}

/** Path → its answer. */
export const adminPages: ReadonlyMap<string, Answer> = new Map([
  ['/admin', asset('text/html', page.markup)],
  ['/admin/', asset('text/html', page.markup)],
  ['/admin/style.css', asset('text/css', style)],
  ['/admin/script.js', asset('text/javascript', adminScript)],
]);

// The small page on the operator's listener: made here once, without data. Its script asks the admin interface with the
// key that the operator types, keeps that in the tab alone, and puts texts into the page as text. Served by
// create-admin-server.ts.

import type { Answer } from '../answer.ts';
import { html } from '../docs/html.ts';
import { adminScript } from './admin-script.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Title, path of the interface, name of the list in its answer; columns of it and the command of each row. */
const sections = [
  { id: 'domains', title: 'Domains', columns: 'id domain active quarantine_seconds last_mail_at' },
  { id: 'sessions', title: 'Sessions', columns: 'email created_at expires_at message_count message_bytes' },
  { id: 'blocks', title: 'Blocked', columns: 'kind value note created_at' },
  { id: 'keys', title: 'Keys', columns: 'name admin scopes rate_per_minute uses last_used_at revoked_at' },
];

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
      <h1>Mayfly</h1>
      <form id="key-form">
        <label
          >Admin key <input id="key" type="password" autocomplete="off" spellcheck="false" required
        /></label>
        <button>Show</button> <button id="forget" type="button">Forget the key</button>
      </form>
      <p id="message" role="status"></p>
      <main id="main" hidden>
        <dl id="status"></dl>
        <form id="search-form">
          <label>Address begins with <input id="search" autocomplete="off" spellcheck="false" /></label>
          <button>Search</button>
        </form>
        <form id="block-form">
          <label
            >Block
            <select id="block-kind">
              <option>sender</option>
              <option>prefix</option>
              <option>network</option>
            </select></label
          >
          <label>Value <input id="block-value" required /></label>
          <label>Note <input id="block-note" /></label>
          <button>Block</button>
        </form>
        ${sections.map(
          ({ id, title, columns }) =>
            html`<section>
              <h2>${title}</h2>
              <table id="${id}" data-columns="${columns}"></table>
            </section>`,
        )}
      </main>
    </body>
  </html>`;

const style = `:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { margin: 1rem auto; max-width: 70rem; padding: 0 1rem; }
form { margin: .75rem 0; }
dl { display: grid; grid-template-columns: max-content auto; gap: 0 1rem; }
dt { color: GrayText; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8885; padding: .2rem .6rem .2rem 0; text-align: start; overflow-wrap: anywhere; }
#message { min-height: 1.5em; }
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

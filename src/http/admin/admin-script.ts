// The script of the operator's page, as text: it runs in the browser, is built with nothing, and makes elements rather
// than markup, so that an address or a note is never read as either.

export const adminScript = `'use strict';
const find = (id) => document.getElementById(id);
const keyName = 'mayfly-admin-key';

function say(text) {
  find('message').textContent = text;
}

async function ask(path, body) {
  const headers = { authorization: 'Bearer ' + sessionStorage.getItem(keyName) };
  const options = { headers };
  if (body) {
    options.method = 'POST';
    options.body = JSON.stringify(body);
    headers['content-type'] = 'application/json';
  }
  const response = await fetch('/admin/' + path, options);
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

function element(name, text, parent) {
  const made = document.createElement(name);
  made.textContent = text;
  parent.append(made);
  return made;
}

function show(value) {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

/** A table's rows, each with a button for each thing that can be done with it. */
function fill(id, rows, actionsOf) {
  const table = find(id);
  const columns = table.dataset.columns.split(' ');
  table.replaceChildren();
  if (rows.length === 0) {
    element('td', 'None.', element('tr', '', element('tbody', '', table))).className = 'none';
    return;
  }
  const head = element('tr', '', element('thead', '', table));
  for (const column of columns) element('th', column.replaceAll('_', ' '), head);
  if (actionsOf) element('th', 'actions', head);
  const body = element('tbody', '', table);
  for (const row of rows) {
    const line = element('tr', '', body);
    for (const column of columns) element('td', show(row[column]), line);
    if (!actionsOf) continue;
    const cell = element('td', '', line);
    for (const action of actionsOf(row)) {
      const button = element('button', action.label, cell);
      button.setAttribute('aria-label', action.label + ' ' + (action.what || show(row[columns[0]])));
      button.addEventListener('click', () => {
        if (!action.question || confirm(action.question)) run(() => ask(action.path, action.body));
      });
    }
  }
}

const actions = {
  domains: ({ domain: name, active }) => [
    { label: 'Check', path: 'check-domain?name=' + encodeURIComponent(name) },
    active
      ? { label: 'Disable', question: 'Disable ' + name + '?', path: 'disable-domain', body: { name } }
      : { label: 'Enable', path: 'add-domain', body: { name } },
    { label: 'Remove', question: 'Remove ' + name + '? Its sessions end.', path: 'remove-domain', body: { name } },
  ],
  accounts: ({ email, active }) => [
    { label: 'Test', path: 'test-gmail-account', body: { email } },
    active
      ? { label: 'Disable', question: 'Disable ' + email + '?', path: 'disable-gmail-account', body: { email } }
      : { label: 'Enable', path: 'enable-gmail-account', body: { email } },
    { label: 'Remove', question: 'Remove ' + email + '? Its sessions end.', path: 'remove-gmail-account', body: { email } },
  ],
  sessions: ({ email }) => [
    { label: 'End', question: 'End ' + email + '? Its messages are gone then.', path: 'end-session', body: { address: email } },
  ],
  blocks: ({ kind, value }) => [
    { label: 'Lift', what: value, question: 'Lift the block of ' + value + '?', path: 'remove-block', body: { kind, value } },
  ],
  keys: ({ name, revoked_at: revoked }) =>
    revoked ? [] : [{ label: 'Revoke', question: 'Revoke ' + name + '?', path: 'revoke-key', body: { name } }],
  dead: ({ id }) => [{ label: 'Send again', path: 'replay-webhook', body: { id: String(id) } }],
};

/** Table → operation, and the list in its answer. */
const lists = {
  domains: ['domains', 'domains'],
  accounts: ['gmail-accounts', 'accounts'],
  sessions: ['sessions', 'sessions'],
  blocks: ['blocks', 'blocks'],
  keys: ['keys', 'keys'],
  dead: ['dead-webhooks', 'dead_webhooks'],
  settings: ['settings', 'settings'],
};

async function showAll() {
  const search = '?address=' + encodeURIComponent(find('search').value);
  const ids = Object.keys(lists);
  const [status, ...answers] = await Promise.all([
    ask('status'),
    ...ids.map((id) => ask(lists[id][0] + (id === 'sessions' ? search : ''))),
  ]);
  const list = find('status');
  list.replaceChildren();
  for (const [name, value] of Object.entries(status)) {
    if (name === 'status') continue;
    element('dt', name.replaceAll('_', ' '), list);
    element('dd', show(value), list);
  }
  ids.forEach((id, index) => fill(id, answers[index][lists[id][1]], actions[id]));
  find('shown').hidden = false;
}

/** What an operation told, in lines. */
function tell(answer) {
  if (!answer) return '';
  const { status, ...told } = answer;
  return Object.entries(told)
    .map(([name, value]) => name.replaceAll('_', ' ') + ': ' + (Array.isArray(value) ? value.map(line).join('\\n') : show(value)))
    .join('\\n');
}

function line(value) {
  return typeof value === 'object' ? Object.values(value).join(' ') : String(value);
}

/** Carries out, then shows how things are and what was told. */
async function run(work) {
  say('');
  try {
    const told = tell(await work());
    await showAll();
    say(told);
  } catch (error) {
    say(error.message);
  }
}

function onSubmit(form, work) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run(work);
  });
}

onSubmit(find('key-form'), () => {
  sessionStorage.setItem(keyName, find('key').value);
  find('key').value = '';
});
onSubmit(find('search-form'), () => undefined);
for (const form of document.querySelectorAll('form[data-path]')) {
  onSubmit(form, async () => {
    const filled = [...new FormData(form)].filter(([, value]) => value !== '');
    const answer = await ask(form.dataset.path, Object.fromEntries(filled));
    form.reset();
    return answer;
  });
}
find('forget').addEventListener('click', () => {
  sessionStorage.removeItem(keyName);
  find('shown').hidden = true;
  say('The key is forgotten.');
});
if (sessionStorage.getItem(keyName)) run(() => undefined);
`;

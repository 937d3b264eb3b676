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

/** A table's rows, each with a button for what can be done with it. */
function fill(id, rows, action) {
  const table = find(id);
  const columns = table.dataset.columns.split(' ');
  table.replaceChildren();
  const head = element('tr', '', element('thead', '', table));
  for (const column of columns) element('th', column.replaceAll('_', ' '), head);
  const body = element('tbody', '', table);
  for (const row of rows) {
    const line = element('tr', '', body);
    for (const column of columns) element('td', show(row[column]), line);
    const made = action && action(row);
    if (!made) continue;
    const button = element('button', made.label, element('td', '', line));
    button.addEventListener('click', () => {
      if (confirm(made.question)) run(() => ask(made.path, made.body));
    });
  }
}

async function showAll() {
  const address = encodeURIComponent(find('search').value);
  const [status, domains, sessions, blocks, keys] = await Promise.all(
    ['status', 'domains', 'sessions?address=' + address, 'blocks', 'keys'].map((path) => ask(path)),
  );
  const list = find('status');
  list.replaceChildren();
  for (const [name, value] of Object.entries(status)) {
    if (name === 'status') continue;
    element('dt', name.replaceAll('_', ' '), list);
    element('dd', show(value), list);
  }
  fill('domains', domains.domains, (domain) => ({
    label: domain.active ? 'Disable' : 'Enable',
    question: 'Change ' + domain.domain + '?',
    path: domain.active ? 'disable-domain' : 'add-domain',
    body: { name: domain.domain },
  }));
  fill('sessions', sessions.sessions, (session) => ({
    label: 'End',
    question: 'End ' + session.email + '? Its messages are gone then.',
    path: 'end-session',
    body: { address: session.email },
  }));
  fill('blocks', blocks.blocks, (block) => ({
    label: 'Lift',
    question: 'Lift the block of ' + block.value + '?',
    path: 'remove-block',
    body: { kind: block.kind, value: block.value },
  }));
  fill('keys', keys.keys, (key) =>
    key.revoked_at ? null : { label: 'Revoke', question: 'Revoke ' + key.name + '?', path: 'revoke-key', body: { name: key.name } },
  );
  find('main').hidden = false;
}

/** Carries out, then shows how things are. */
async function run(work) {
  say('');
  try {
    await work();
    await showAll();
  } catch (error) {
    say(error.message);
  }
}

function onSubmit(id, work) {
  find(id).addEventListener('submit', (event) => {
    event.preventDefault();
    run(work);
  });
}

onSubmit('key-form', () => {
  sessionStorage.setItem(keyName, find('key').value);
  find('key').value = '';
});
onSubmit('search-form', () => undefined);
onSubmit('block-form', () =>
  ask('add-block', { kind: find('block-kind').value, value: find('block-value').value, note: find('block-note').value }),
);
find('forget').addEventListener('click', () => {
  sessionStorage.removeItem(keyName);
  find('main').hidden = true;
  say('The key is forgotten.');
});
if (sessionStorage.getItem(keyName)) run(() => undefined);
`;

// Checks a running service from outside: creates a session, sends it a mail, and reads it.
//   node scripts/smoke-test.mjs --http http://127.0.0.1:8080 --smtp 127.0.0.1:2525
// The release runs it against the image; tests against whatever is installed. Needs only Node.js.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const patienceMs = 60_000;
const { values } = parseArgs({
  options: {
    http: { type: 'string', default: 'http://127.0.0.1:8080' },
    smtp: { type: 'string', default: '127.0.0.1:2525' },
  },
});
const deadline = Date.now() + patienceMs;

await becomesTrue('the service is ready', async () => (await fetch(`${values.http}/readyz`)).ok);
const { email, token } = await call('/create-session', { method: 'POST' });
const code = String(100_000 + (randomBytes(4).readUInt32BE() % 900_000));
// A machine that has just started many things may defer a mail, which every sender repeats.
await becomesTrue('the mail is accepted', async () => {
  await send(email, `Subject: Smoke test\r\n\r\n${code} is your code.\r\n`);
  return true;
});
await becomesTrue(
  'the mail is listed',
  async () => (await call('/check-mail', { token })).messages.length === 1,
);
const { message } = await call('/read-mail?id=1', { token });
if (!message.text.includes(code)) throw new Error(`The mail lacks its text: ${JSON.stringify(message)}`);
await call('/end-session', { method: 'POST', token });
console.log(`smoke-test: a mail came in at ${values.smtp} and was read at ${values.http}`);

/**
 * @param {string} operation
 * @param {{ method?: string, token?: string }} [options]
 * @returns {Promise<any>}
 */
async function call(operation, { method = 'GET', token: bearer } = {}) {
  const headers = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const response = await fetch(values.http + operation, { method, headers });
  if (response.ok) return response.json();
  throw new Error(`${operation} was answered ${response.status}: ${await response.text()}`);
}

/**
 * @param {string} recipient
 * @param {string} data
 */
async function send(recipient, data) {
  const [host = '', port = ''] = values.smtp.split(':');
  const socket = connect(Number(port), host);
  try {
    await once(socket, 'connect');
    const replies = createInterface({ input: socket })[Symbol.asyncIterator]();
    await expectReply(replies, '220');
    const dialogue = [
      ['EHLO smoke-test.invalid', '250'],
      ['MAIL FROM:<smoke@smoke-test.invalid>', '250'],
      [`RCPT TO:<${recipient}>`, '250'],
      ['DATA', '354'],
      [`${data}.`, '250'],
      ['QUIT', '221'],
    ];
    for (const [command, wanted = ''] of dialogue) {
      socket.write(`${command}\r\n`);
      await expectReply(replies, wanted);
    }
  } finally {
    socket.destroy();
  }
}

/**
 * Reads a reply to its last line.
 * @param {AsyncIterator<string>} replies
 * @param {string} wanted
 */
async function expectReply(replies, wanted) {
  for (;;) {
    const { value = 'the end of the connection' } = await replies.next();
    if (!value.startsWith(wanted)) throw new Error(`SMTP answered ${value} instead of ${wanted}.`);
    if (value[3] !== '-') return;
  }
}

/**
 * @param {string} what
 * @param {() => Promise<boolean>} isTrue
 */
async function becomesTrue(what, isTrue) {
  for (;;) {
    try {
      if (await isTrue()) return;
    } catch (error) {
      // Nothing listens yet.
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) throw new Error(`It did not become true that ${what}.`);
    await pause(250);
  }
}

// The floor of the clients' latency: the same long poll without a client. Started by measure-clients.ts.
import { Agent, request } from 'node:http';

const url = process.env['MAYFLY_URL'] ?? '';
const agent = new Agent({ keepAlive: true });

/**
 * @param {string} method
 * @param {string} path
 * @param {string} [token]
 * @returns {Promise<any>}
 */
function ask(method, path, token) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const asked = request(url + path, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (/** @type {string} */ chunk) => (text += chunk));
      response.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject).end();
  });
}

const { email, token } = await ask('POST', '/create-session');
process.stdout.write(`${email}\n`);
for (let after = 0; ;) {
  process.stdout.write('waiting\n');
  const { message } = await ask('GET', `/wait-mail?has_code=1&timeout=60&after=${after}`, token);
  after = message.id;
  process.stdout.write(`${message.code}\n`);
}

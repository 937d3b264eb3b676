import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';

const ses = new SESv2Client({ region: 'eu-central-1' });
const codes = new Map();

const page = (content) =>
  `<!doctype html><meta charset="utf-8"><title>Shop</title><form method="post">${content}</form>`;
const field = (name, label, value = '') => `<label>${label} <input name="${name}" value="${value}"></label>`;

async function mailCode(to) {
  const code = String(randomInt(100_000, 1_000_000));
  codes.set(to, code);
  const content = {
    Simple: {
      Subject: { Data: 'Confirm your address' },
      Body: { Text: { Data: `Your code is ${code}.` } },
    },
  };
  const addresses = { FromEmailAddress: 'hello@shop.example', Destination: { ToAddresses: [to] } };
  await ses.send(new SendEmailCommand({ ...addresses, Content: content }));
}

createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request));
  const [email, code] = [form.get('email') ?? '', form.get('code')];
  response.setHeader('content-type', 'text/html; charset=utf-8');
  if (email === '') response.end(page(`${field('email', 'E-mail')} <button>Sign up</button>`));
  else if (!/^[\w.@-]+$/.test(email)) response.end(page('This is no address.'));
  else if (code === null) {
    await mailCode(email);
    response.end(
      page(`${field('email', 'E-mail', email)} ${field('code', 'Code')} <button>Confirm</button>`),
    );
  } else response.end(page(codes.get(email) === code ? 'Welcome' : 'The code is wrong.'));
}).listen(process.env.PORT ?? 3000);

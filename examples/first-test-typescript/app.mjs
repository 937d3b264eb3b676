import { randomInt } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';

const mail = createTransport(process.env.SMTP_URL);
const codes = new Map();

/** POST /sign-up takes `email` and mails a code, POST /confirm takes both. */
export const app = createServer(async (request, response) => {
  const form = new URLSearchParams(await text(request));
  const email = form.get('email');
  if (request.url === '/sign-up') {
    const code = String(randomInt(100_000, 1_000_000));
    codes.set(email, code);
    await mail.sendMail({
      from: 'Shop <hello@shop.example>',
      to: email,
      subject: 'Confirm your address',
      text: `Your code is ${code}.`,
    });
  } else if (codes.get(email) !== form.get('code')) response.statusCode = 403;
  response.end();
});

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { Mayfly } from 'mayfly-client';
import { app } from './app.mjs';

await once(app.listen(0), 'listening');
after(() => app.close());

const post = (path, fields) =>
  fetch(`http://127.0.0.1:${app.address().port}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  });

test('signs up with the code from the mail', async () => {
  const inbox = await new Mayfly().createInbox();
  await post('/sign-up', { email: inbox.email });
  const code = await inbox.waitForCode();
  assert.equal((await post('/confirm', { email: inbox.email, code })).status, 200);
});

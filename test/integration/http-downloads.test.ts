// Raw messages and attachments: byte for byte, never rendered by a browser, never buffered whole for a slow reader.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, it } from 'vitest';

import { defaultTimeouts, type HttpTimeouts } from '#http-parts/server-limits';
import { rawChunkBytes } from '../../src/domain/limits.ts';
import { sealer } from '#sealing/sealer';
import { ask, startHttp } from './http-harness.ts';
import { eventually } from '../support/eventually.ts';
import { override } from '../support/override.ts';
import { createRandom } from '../support/random.ts';

it('returns a raw message as our two fields and the original bytes', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const raw = Buffer.concat([
    Buffer.from('Subject: x\r\n\r\n'),
    Buffer.from([0, 255, 13, 10, 10]),
    Buffer.alloc(600_000, 'ab\r\n'),
  ]);
  await harness.deliver(raw, [session]);
  const { status, headers, bytes } = await ask(harness, `/raw-mail?id=1&token=${token}`);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'message/rfc822',
    'content-length': String(bytes.length),
    'content-disposition': 'attachment; filename="message-1.eml"',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  });
  expect(bytes.subarray(-raw.length).equals(raw)).toBe(true);
  expect(bytes.toString('latin1', 0, bytes.length - raw.length)).toMatch(
    /^Return-Path: <sender@example\.org>\r\nReceived: from [^]*\r\n$/,
  );
});

it.each([
  ['image/png', 'a.png', 'image/png'],
  ['application/pdf', 'a.pdf', 'application/pdf'],
  ['text/html', 'a.html', 'application/octet-stream'],
  ['image/svg+xml', 'a.svg', 'application/octet-stream'],
  ['text/xml', 'a.xml', 'application/octet-stream'],
  ['application/javascript', 'a.js', 'application/octet-stream'],
  ['text/plain', '<script>.txt', 'application/octet-stream'],
])('serves an attachment of %s named %s as %s, as a download', async (claimed, filename, served) => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const mail = `Content-Type: ${claimed}\r\nContent-Disposition: inline; filename="${filename}"\r\n\r\n<script>1</script>`;
  await harness.deliver(
    `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n--x\r\n${mail}\r\n--x--\r\n`,
    [session],
  );
  const { headers, text } = await ask(harness, `/attachment?id=1&part=2&token=${token}`);
  expect(text).toBe('<script>1</script>');
  expect(headers).toMatchObject({
    'content-type': served,
    'content-disposition': expect.stringMatching(/^attachment; filename="/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
  });
});

it('distinguishes a missing attachment from a missing message', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
  for (const part of ['1', '9', '../1', 'raw', '__proto__', 'x'.repeat(5000)]) {
    const answer = await ask(harness, `/attachment?id=1&part=${part}&token=${token}`);
    expect([answer.status, answer.json.code]).toEqual([404, 'attachment_not_found']);
  }
});

async function* failing(raw: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const first = await raw[Symbol.asyncIterator]().next();
  if (first.done !== true) yield first.value;
  throw new Error('The message went while it was read.');
}

it('breaks the connection, and logs it, when the message cannot be read to its end', async () => {
  const harness = await startHttp({
    wrapDeps: (deps) => ({
      ...deps,
      mail: override(deps.mail, { readRaw: (...wanted) => failing(deps.mail.readRaw(...wanted)) }),
    }),
  });
  const { token, session } = await harness.lend();
  await harness.deliver(`Subject: x\r\n\r\n${'y\r\n'.repeat(200_000)}`, [session]);
  await expect(ask(harness, `/raw-mail?id=1&token=${token}`)).rejects.toThrow('aborted');
  expect(harness.logged).toContainEqual({
    level: 'warn',
    event: 'http.broke_off',
    fields: expect.objectContaining({ detail: expect.stringContaining('went while it was read') }),
  });
});

/** Starts a server with an endless message, and a client that reads only its beginning. */
async function stallDownload(timeouts: HttpTimeouts) {
  const state = { chunks: 0 };
  let release = (): void => undefined;
  const isLetGo = new Promise<void>((resolve) => (release = resolve));
  const harness = await startHttp({
    timeouts,
    wrapDeps: (deps) => ({ ...deps, mail: override(deps.mail, { readRaw: () => endless() }) }),
  });
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
  async function* endless(): AsyncGenerator<Uint8Array> {
    const chunk = Buffer.alloc(256 * 1024);
    const sealed = sealer.sealChunks(session, [[chunk], [chunk]]);
    yield sealed.next().value ?? chunk;
    const second = sealed.next().value ?? chunk;
    try {
      for (; state.chunks < 2000; state.chunks++) yield await Promise.resolve(second);
    } finally {
      release();
    }
  }
  const socket = connect(harness.port, '127.0.0.1', () => {
    socket.write(`GET /raw-mail?id=1&token=${token} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });
  socket.on('error', () => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.once('data', () => {
      socket.pause();
      resolve();
    });
  });
  return { harness, state, socket, isLetGo };
}

it('reads a message no faster than its client, and releases it when the client leaves', async () => {
  const { harness, state, socket, isLetGo } = await stallDownload(defaultTimeouts);
  for (let turn = 0; turn < 50; turn++) expect((await ask(harness, '/healthz')).status).toBe(200);
  // The rest in transit is in the buffers of the two sockets.
  expect(state.chunks).toBeLessThan(200);
  socket.destroy();
  await isLetGo;
});

it('closes a connection whose client stops reading', async () => {
  const { state, socket, isLetGo } = await stallDownload({ ...defaultTimeouts, silenceMs: 300 });
  await isLetGo;
  expect(state.chunks).toBeLessThan(200);
  socket.destroy();
});

/** Returns the memory of buffers in use. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().arrayBuffers;
}

it(
  'holds little of an attachment for each of ten slow readers, and sends all of it to all',
  { timeout: 300_000 },
  async () => {
    let chunks = 0;
    const harness = await startHttp({
      wrapDeps: (deps) => {
        async function* readRaw(...args: Parameters<typeof deps.mail.readRaw>): AsyncGenerator<Uint8Array> {
          for await (const chunk of deps.mail.readRaw(...args)) {
            chunks += 1;
            yield chunk;
          }
        }
        return { ...deps, mail: override(deps.mail, { readRaw }) };
      },
    });
    const { token, session } = await harness.lend();
    const file = createRandom(17).bytes(10 * 1024 * 1024);
    const encoded = file.toString('base64').replace(/.{76}/g, '$&\r\n');
    const part = `Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}`;
    await harness.deliver(
      Buffer.from(
        `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi\r\n--x\r\n${part}\r\n--x--\r\n`,
      ),
      [session],
    );
    const before = heldBytes();
    const answers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const sent = get(`${harness.origin}/attachment?id=1&part=2&token=${token}`, { agent: false });
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        return response;
      }),
    );
    // Without a reader the output fills the sockets, and then the server stops reading.
    for (let steady = 0, last = -1; steady < 10; last = chunks) {
      steady = chunks === last ? steady + 1 : 0;
      await delay(20);
    }
    expect(chunks).toBeLessThan(10 * (encoded.length / rawChunkBytes));
    // One MiB each is its chunk and what its socket takes. Bytes read ahead are released with a delay.
    await eventually(
      () => Promise.resolve(heldBytes() - before < 2 * file.length ? true : undefined),
      'less than two attachments are held for ten readers',
    );
    const digest = createHash('sha256').update(file).digest('hex');
    for (const response of answers) {
      const hash = createHash('sha256');
      for await (const piece of response) hash.update(piece as Buffer);
      expect(hash.digest('hex')).toBe(digest);
    }
  },
);

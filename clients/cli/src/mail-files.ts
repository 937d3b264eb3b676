// `mayfly inbox import` and `export`: mail as files.

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { messageOf } from '../../../packages/system-errors/src/error-message.ts';

import { InboxError, InboxUsageError } from './errors.ts';
import { findInbox } from './find-inbox.ts';
import type { InboxCall } from './inbox-call.ts';

export async function importFile(call: InboxCall): Promise<void> {
  const { given, out } = call;
  const { inbox } = await findInbox(call, { address: text(given['inbox']), url: text(given['url']) });
  const id = await inbox.importMail(new Uint8Array(await readMessage(text(given['file']))));
  out.write(`${id}\n`);
}

/** @throws InboxError */
async function readMessage(file: string | undefined): Promise<Buffer> {
  if (file === undefined || file === '-') return buffer(process.stdin);
  try {
    return await readFile(file);
  } catch (error) {
    throw new InboxError(`The file cannot be read: ${messageOf(error)}`);
  }
}

export async function exportAll(call: InboxCall): Promise<void> {
  const { given, out } = call;
  if (out.isTTY === true) throw new InboxUsageError('Redirect the output of `inbox export` to a file.');
  const { inbox } = await findInbox(call, { address: text(given['address']), url: text(given['url']) });
  for await (const piece of await inbox.exportMail()) {
    // Waits for a slow reader of the output.
    await new Promise<void>((resolve) => {
      if (out.write(piece) === false) process.stdout.once('drain', resolve);
      else resolve();
    });
  }
}

function text(value: InboxCall['given'][string]): string | undefined {
  return value === undefined ? undefined : String(value);
}

// The bodies of import and export: an .eml file read, an mbox file written. Loaded when one of them is called.

import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { LiveBody } from '#http-parts/answer';
import { readMailFile } from '#unix-mail/mail-file';
import { MboxMessage, mboxSeparator } from '#unix-mail/mbox';
import { headBytes } from '../../domain/limits.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { RawMessage } from '../../domain/message.ts';
import type { ExportedMessage } from '../../service/mail/export-mail.ts';
import type { OperationContext } from '../operation.ts';

/** @throws MayflyError malformed_body */
export async function readMessageFile(file: Buffer): Promise<RawMessage> {
  const pieces: Buffer[] = [];
  for (const piece of readMailFile(file)) {
    pieces.push(piece);
    if (pieces.length > 1) await nextTurn();
  }
  const [first = Buffer.alloc(0)] = pieces;
  if (!/^[!-9;-~]{1,998}[ \t]*:/.test(first.toString('latin1', 0, 1000))) {
    throw new MayflyError('malformed_body', 'The body is no message: it does not begin with a header field.');
  }
  return {
    sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0),
    head: () => first.subarray(0, headBytes),
    pieces: () => pieces,
    release: () => undefined,
  };
}

type MboxParts = Pick<OperationContext, 'onFault'> & { readonly gone: AbortSignal };

/** Written as fast as the client reads; cut off when the session ends meanwhile. */
export function toMboxBody(messages: AsyncIterable<ExportedMessage>, { onFault, gone }: MboxParts): LiveBody {
  return {
    open: () => (response) => {
      writeMbox(messages, response, gone).then(
        () => response.end(),
        (error: unknown) => {
          if (!gone.aborted && !(error instanceof MayflyError)) onFault(error);
          response.destroy();
        },
      );
    },
  };
}

async function writeMbox(
  messages: AsyncIterable<ExportedMessage>,
  response: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  for await (const message of messages) {
    const mbox = new MboxMessage();
    let isBegun = false;
    try {
      for await (const piece of message.pieces) {
        if (!isBegun) response.write(toSeparator(message));
        isBegun = true;
        gone.throwIfAborted();
        if (!response.write(mbox.push(piece))) await once(response, 'drain', { signal: gone });
      }
    } catch (error) {
      const isDeleted = error instanceof MayflyError && error.code === 'message_not_found';
      // A part of a message would look like the whole.
      if (!isDeleted || isBegun) throw error;
      continue;
    }
    response.write(mbox.end());
  }
}

function toSeparator({ mailFrom, receivedAt }: ExportedMessage): Buffer {
  return mboxSeparator({ sender: mailFrom, receivedAt });
}

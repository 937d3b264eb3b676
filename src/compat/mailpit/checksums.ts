// Checksums of a message's attachments, computed once per parsed message.

import { createHash } from 'node:crypto';

import type { ParsedMessage } from '@mayfly/mail-reader';
import { SearchEffort } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

export interface Checksums {
  readonly MD5: string;
  readonly SHA1: string;
  readonly SHA256: string;
}

/** Kept as long as the parsed message. */
const made = new WeakMap<ParsedMessage, ReadonlyMap<string, Checksums>>();

/** Returns checksums by part id. @throws MayflyError message_not_found */
export async function findChecksums(
  services: Pick<Services, 'readAttachment'>,
  session: OpenSession,
  { id, parsed }: { readonly id: number; readonly parsed: ParsedMessage },
): Promise<ReadonlyMap<string, Checksums>> {
  const known = made.get(parsed);
  if (known) return known;
  const sums = new Map<string, Checksums>();
  const effort = new SearchEffort(session);
  for (const { id: part } of parsed.attachments) {
    await effort.spend();
    const { pieces } = await services.readAttachment(session, { id, part });
    sums.set(part, await hashAll(pieces));
  }
  made.set(parsed, sums);
  return sums;
}

async function hashAll(pieces: AsyncIterable<Buffer>): Promise<Checksums> {
  const md5 = createHash('md5');
  const sha1 = createHash('sha1');
  const sha256 = createHash('sha256');
  for await (const piece of pieces) {
    for (const hash of [md5, sha1, sha256]) hash.update(piece);
  }
  return { MD5: md5.digest('hex'), SHA1: sha1.digest('hex'), SHA256: sha256.digest('hex') };
}

// Reads the operator's Maildir in order to copy it: file by file in order of name, each in pieces. Opened by the copy
// command; the operator's mail program should be closed.

import { createHash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { codeOf } from '#system-errors/error-code';
import {
  batchBytes,
  batchRows,
  type TransferBatch,
  type TransferCursor,
  type TransferRow,
} from './transfer-rows.ts';

export interface MaildirSource {
  readonly fingerprint: string;
  readBatch(after: TransferCursor | undefined): TransferBatch;
}

interface MailFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly receivedAt: number;
}

const pieceBytes = 256 * 1024;

/** A missing folder counts as empty. */
export function openMaildirSource(folder: string): MaildirSource {
  const files = ['cur', 'new'].flatMap((name) => listFiles(join(folder, name)));
  const fingerprint = createHash('sha256');
  for (const { path, sizeBytes } of files) fingerprint.update(`${path}\0${sizeBytes}\0`);
  return {
    fingerprint: fingerprint.digest('hex'),
    readBatch: (after) => {
      let [id, number] = after ? [Number(after[0]), Number(after[1]) + 1] : [1, 0];
      const rows: TransferRow[] = [];
      for (let bytes = 0; bytes < batchBytes && rows.length < batchRows;) {
        const file = files[id - 1];
        if (!file) break;
        const data = readPiece(file.path, number);
        if (data.length > 0 || number === 0) {
          rows.push({ id, number, data, size_bytes: file.sizeBytes, received_at: file.receivedAt });
        }
        bytes += data.length;
        if (data.length === pieceBytes) number += 1;
        else [id, number] = [id + 1, 0];
      }
      const last = rows.at(-1);
      return { rows, cursor: last && [last['id'] ?? 0, last['number'] ?? 0] };
    },
  };
}

function listFiles(folder: string): MailFile[] {
  let names: string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
  return names.map((name) => {
    const path = join(folder, name);
    const { size, mtimeMs } = statSync(path);
    return { path, sizeBytes: size, receivedAt: Math.floor(mtimeMs) };
  });
}

function readPiece(path: string, number: number): Buffer {
  const file = openSync(path, 'r');
  try {
    const piece = Buffer.alloc(pieceBytes);
    return piece.subarray(0, readSync(file, piece, 0, pieceBytes, number * pieceBytes));
  } finally {
    closeSync(file);
  }
}

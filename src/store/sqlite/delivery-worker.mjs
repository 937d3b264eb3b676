// The thread that writes batches of deliveries, with a connection of its own, while the service's thread takes in the
// next. It decides nothing: a delivery that does not change its session's row exactly as foreseen is left out, and
// decided on the other side. Answers a batch once it is on disk. Driven by delivery-thread.ts, which lets nobody else
// write meanwhile. Plain JavaScript: it runs unbuilt under tests too.

import { closeSync, fdatasyncSync, openSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

import Database from 'better-sqlite3';

import { DeliveryBatch } from './delivery-batch.mjs';

/** @typedef {import('better-sqlite3').Database} Connection */
/** @typedef {import('./delivery-thread.ts').DeliveryWorkerData} WorkerData */

const { file, memory, sealer, pragmas, sql, quota, seqMax, rawChunkBytes } = /** @type {WorkerData} */ (
  workerData
);
const batch = new DeliveryBatch(memory);

/** @param {unknown} error */
function toFailure(error) {
  // A SqliteError loses its message on the way.
  const { code, message } = /** @type {{ code: string, message: string }} */ (error);
  return { code, message };
}

async function open() {
  const { sealDelivery } = /** @type {import('./delivery-thread.ts').Sealer} */ (await import(sealer));
  const database = new Database(file);
  for (const pragma of pragmas) database.pragma(pragma);
  const write = prepare(database, sealDelivery);
  // As wal-sync.ts does; the log is there, since statements were prepared.
  const log = openSync(`${file}-wal`, 'r');
  return { database, write, log };
}

/**
 * @param {Connection} database
 * @param {import('./delivery-thread.ts').Sealer['sealDelivery']} sealDelivery
 */
function prepare(database, sealDelivery) {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const takeSeq = database.prepare(sql.takeSeq);
  const insertContent = database.prepare(sql.insertContent);
  const insertMessage = database.prepare(sql.insertMessage);
  const insertChunk = database.prepare(sql.insertChunk);
  return () => {
    begin.run();
    for (const record of batch.take()) {
      const { sessionId, seq, rowId, receivedAt, sizeBytes } = record;
      const { changes } = takeSeq.run(
        sizeBytes,
        sessionId,
        receivedAt,
        quota.messages,
        sizeBytes,
        quota.bytes,
        seq,
        seqMax,
      );
      if (changes === 0) continue;
      const { meta, chunks } = sealDelivery(record, rawChunkBytes);
      const { lastInsertRowid } = insertContent.run(meta, chunks[0]);
      insertMessage.run(rowId, receivedAt, sizeBytes, lastInsertRowid);
      for (let number = 1; number < chunks.length; number++) insertChunk.run(rowId, number, chunks[number]);
      batch.noteStored();
    }
    commit.run();
  };
}

/** @param {Awaited<ReturnType<typeof open>>} opened */
function writeBatch({ database, write, log }) {
  try {
    write();
  } catch (error) {
    const failure = toFailure(error);
    try {
      if (database.inTransaction) database.exec('ROLLBACK');
    } catch (rollbackError) {
      return { failure: toFailure(rollbackError), isBroken: true };
    }
    return { failure, isBroken: false };
  }
  try {
    fdatasyncSync(log);
  } catch (error) {
    // What the kernel could not write it may have dropped.
    return { failure: toFailure(error), isBroken: true };
  }
  return {};
}

async function run() {
  let opened;
  try {
    opened = await open();
  } catch (error) {
    // No descriptors, no memory: the service's thread goes on alone.
    parentPort?.postMessage({ unavailable: toFailure(error) });
    return;
  }
  parentPort?.postMessage('ready');
  while (batch.receive()) parentPort?.postMessage(writeBatch(opened));
  closeSync(opened.log);
  opened.database.close();
}

await run();

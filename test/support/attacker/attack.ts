// The attack itself: on the columns of a store and the files of a disk. Used by the tests of what the disk reveals.

import { expect } from 'vitest';

import { type Attacked, type Column, valuesOf } from './attacked-service.ts';
import { countPrivateKeys, derivedKeys, findTexts, SealedTargets, windowsOf } from './disk-attack.ts';

export interface Disk {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly columns: readonly Column[];
  readonly serverKey: Buffer;
  /** Files whose every 32 bytes are tried, besides every column's. */
  readonly isTriedWhole?: (file: string) => boolean;
}

export interface Gained {
  /** Sealed bytes that some key opened. */
  readonly opened: number;
  readonly privateKeys: number;
  /** Texts of mail, and tokens. */
  readonly texts: readonly string[];
}

/** Values up to this length are keys, salts, hashes: all their windows are tried; of longer ones, those of a few. */
const keyLikeMax = 128;
const sealedForServer = ['outbox_contents', 'webhook_endpoints'];

export function attack(disk: Disk, attacked: Attacked): Gained {
  const { files, columns, serverKey } = disk;
  const values = columns.filter(({ table }) => !sealedForServer.includes(table)).flatMap((one) => one.values);
  const targets = new SealedTargets(values.filter(({ length }) => length > keyLikeMax));
  expect(targets.count).toBeGreaterThan(attacked.live.length);
  const keys = valuesOf(columns, 'sessions', 'key');
  const keyLike = columns.flatMap((one) => one.values).filter(({ length }) => length <= keyLikeMax);
  const candidates = onceEach([
    ...keyLike.flatMap((value) => [...windowsOf(value)]),
    ...keyLike.flatMap((value) => [...windowsOf(Buffer.from(value.toString('latin1'), 'base64'))]),
    serverKey,
    ...derivedKeys(serverKey, keys),
    ...keyLike.filter(({ length }) => length >= 16).flatMap((value) => [...derivedKeys(value, [])]),
  ]);
  targets.tryKeys(candidates);
  for (const [name, content] of files) {
    if (disk.isTriedWhole?.(name) === true) targets.tryKeys([...windowsOf(content)]);
  }
  return {
    opened: targets.opened.size,
    privateKeys: countPrivateKeys(candidates, publicKeysOf(columns)),
    texts: findTexts(files, [...attacked.markers, ...attacked.tokens]),
  };
}

/** A value that stands in several columns, or in the log, is tried once. */
function onceEach(values: readonly Buffer[]): readonly Buffer[] {
  return [...new Map(values.map((value) => [value.toString('latin1'), value])).values()];
}

/** Returns those of sessions, and the ephemeral ones at the head of sealed bytes. */
function publicKeysOf(columns: readonly Column[]): readonly Buffer[] {
  const metas = columns.filter(({ name }) => name === 'meta').flatMap(({ values }) => values);
  const ephemerals = new Set(metas.map((meta) => meta.subarray(1, 33).toString('latin1')));
  const own = columns.filter(({ name }) => name === 'public_key').flatMap(({ values }) => values);
  return [...own, ...[...ephemerals].map((text) => Buffer.from(text, 'latin1'))];
}

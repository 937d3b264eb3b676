// A service with live and ended sessions, with mail that was read, listed and not looked at, shared and locked by a
// password, and everything that lies on disk because of them. Used by the tests of what the disk reveals.

import { lstat, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import Database from 'better-sqlite3';
import pg from 'pg';
import { expect } from 'vitest';

import { codeOf } from '../../../packages/system-errors/src/error-code.ts';
import type { Lent, MayflyProcess } from '../service/mayfly-process.ts';
import { greet } from '../smtp/smtp-client.ts';
import { createMarkedMail } from './marked-mail.ts';

export interface Amounts {
  readonly live: number;
  readonly ended: number;
  readonly mailsEach: number;
}

export interface Attacked {
  readonly live: readonly Lent[];
  readonly ended: readonly Lent[];
  readonly markers: readonly string[];
  readonly tokens: readonly string[];
}

const inTurn = 8;

/** Fills the service. `beforeEnds` runs while all sessions live. */
export async function fillForAttack(
  mayfly: MayflyProcess,
  amounts: Amounts,
  beforeEnds: () => Promise<void> = () => Promise.resolve(),
): Promise<Attacked> {
  const lent: Lent[] = [];
  const tokens: string[] = [];
  for (let count = 0; count < amounts.live + amounts.ended; count += 1) {
    lent.push(await mayfly.lend(count % 4 === 1 ? { password: 'a long password of its holder' } : {}));
  }
  const markers: string[] = [];
  const work = lent.entries();
  const deliverTheirs = async (): Promise<void> => {
    const client = await greet(mayfly.smtpPort);
    for (const [at, { email }] of work) {
      for (let number = 0; number < amounts.mailsEach; number += 1) {
        const mail = createMarkedMail(`${at}x${number}`);
        markers.push(...mail.markers);
        expect(await client.deliver(mail.raw, email)).toMatch(/^250 /);
      }
    }
    client.socket.destroy();
  };
  await Promise.all(Array.from({ length: inTurn }, deliverTheirs));
  for (const [at, { token }] of lent.entries()) {
    if (at % 2 === 0) await mayfly.checkMail(token);
    if (at % 3 === 0) {
      const { code } = await mayfly.readMail(token, 1);
      expect(markers).toContain(code);
    }
    if (at % 4 === 0) {
      const { share } = await post<{ share: string }>(mayfly, 'create-share', token);
      tokens.push(share);
    }
    if (at % 5 === 0) await post(mayfly, 'delete-mail?id=1', token);
  }
  await beforeEnds();
  const [live, ended] = [lent.slice(0, amounts.live), lent.slice(amounts.live)];
  for (const { token } of ended) await post(mayfly, 'end-session', token);
  return { live, ended, markers, tokens: [...tokens, ...lent.map(({ token }) => token)] };
}

async function post<T>(mayfly: MayflyProcess, operation: string, token: string): Promise<T> {
  const answer = await fetch(`${mayfly.origin}/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  expect([operation, answer.status]).toEqual([operation, 200]);
  return (await answer.json()) as T;
}

/** Reads all files below the folders, by their paths; those that vanish meanwhile are left out. */
export async function readFolders(...folders: readonly string[]): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const folder of folders) {
    for (const name of await readdir(folder, { recursive: true })) {
      const file = path.join(folder, name);
      try {
        if ((await lstat(file)).isFile()) files.set(file, await readFile(file));
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw error;
      }
    }
  }
  return files;
}

/** The values of a column. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly values: readonly Buffer[];
}

type Row = Readonly<Record<string, unknown>>;

export function readSqliteColumns(file: string): Column[] {
  const database = new Database(file, { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
      .pluck()
      .all();
    return tables.flatMap((table) =>
      toColumns(table, database.prepare<[], Row>(`SELECT * FROM "${table}"`).all()),
    );
  } finally {
    database.close();
  }
}

export async function readPostgresColumns(url: string): Promise<Column[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'mayfly' AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const columns: Column[] = [];
    for (const { name } of rows) {
      const found = await client.query<Row>(`SELECT * FROM mayfly."${name}"`);
      columns.push(...toColumns(name, found.rows));
    }
    return columns;
  } finally {
    await client.end();
  }
}

function toColumns(table: string, rows: readonly Row[]): Column[] {
  const [first] = rows;
  return Object.keys(first ?? {}).map((name) => ({
    table,
    name,
    values: rows.flatMap((row) => {
      const value = row[name];
      if (value instanceof Uint8Array) return [Buffer.from(value)];
      return typeof value === 'string' ? [Buffer.from(value)] : [];
    }),
  }));
}

const loggedBytes = /\\x((?:[0-9a-f]{2}){16,})/g;

/** Returns the bytes that the logs of database servers have in hexadecimal, each once. */
export function toLoggedColumn(files: ReadonlyMap<string, Buffer>): Column {
  const texts = new Set<string>();
  for (const [name, content] of files) {
    if (!/log$/.test(name)) continue;
    for (const [, hex = ''] of content.toString('latin1').matchAll(loggedBytes)) texts.add(hex);
  }
  return { table: 'log', name: 'value', values: [...texts].map((hex) => Buffer.from(hex, 'hex')) };
}

/** Returns the values of one column, of which there must be some. */
export function valuesOf(columns: readonly Column[], table: string, name: string): readonly Buffer[] {
  const values = columns.find((one) => one.table === table && one.name === name)?.values ?? [];
  expect([table, name, values.length > 0]).toEqual([table, name, true]);
  return values;
}

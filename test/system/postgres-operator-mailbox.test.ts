// The operator's mailbox in PostgreSQL, shared by nodes.

import { describe, expect, it } from 'vitest';

import { withConnection } from '#postgres/connections';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';

const postgres = usePostgresFixture();

describe("the operator's mailbox", () => {
  it('accepts mail up to its limits, over all nodes', async () => {
    const url = await postgres.createUrl();
    const options = { operatorMailbox: { messagesMax: 3, bytesMax: 1_000_000 } };
    const nodes = [await postgres.openNode(url, options), await postgres.openNode(url, options)];
    const pieces = [Buffer.alloc(300_000, 'a'), Buffer.from('end')];
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, at) =>
        nodes[at % 2]!.operatorMailbox.deliver({ sizeBytes: 300_003, pieces }),
      ),
    );
    expect(answers.filter((answer) => answer !== 'full')).toHaveLength(3);
    const { rows } = await withConnection(url, (client) =>
      client.query<{ message: Buffer }>(
        `SELECT string_agg(data, ''::bytea ORDER BY number) AS message FROM mayfly.operator_chunks GROUP BY message_id`,
      ),
    );
    expect(rows).toHaveLength(3);
    for (const { message } of rows) expect(message.equals(Buffer.concat(pieces))).toBe(true);
  });

  it('takes one message past its bytes when that was below them, and has room again for one withdrawn', async () => {
    const node = await postgres.openNode(await postgres.createUrl(), {
      operatorMailbox: { messagesMax: 10, bytesMax: 10 },
    });
    const mailbox = node.operatorMailbox;
    const deliver = (text: string) =>
      mailbox.deliver({ sizeBytes: text.length, pieces: [Buffer.from(text)] });
    const areFull = (...sizes: number[]) => Promise.all(sizes.map((size) => mailbox.isFull(size)));
    expect(await areFull(11, 10, 0)).toEqual([true, false, false]);
    await deliver('123456789');
    expect(await areFull(2, 1, 0)).toEqual([true, false, false]);
    const last = await deliver('12345');
    expect(await areFull(1, 0)).toEqual([true, true]);
    expect(await deliver('1')).toBe('full');
    if (last === 'full') throw new Error('The mailbox was below its limits.');
    await last.withdraw();
    expect(await areFull(2, 1, 0)).toEqual([true, false, false]);
  });
});

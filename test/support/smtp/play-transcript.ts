// Dialogues written down as they go over the wire:
//   C: EHLO client.test
//   S: 250-mx.test…
// Lines of C are sent, with CR LF; several in a row go out at once (pipelining). Each line of S must be answered, in
// order; one that ends in … need only begin so. Used on the engine alone and over real sockets.

import { expect } from 'vitest';

export interface Peer {
  send(bytes: Buffer): void;
  /** Returns the next reply line, without its CR LF. Rejects when there is none. */
  readLine(): Promise<string>;
}

interface Turn {
  readonly sent: string[];
  readonly answered: string[];
}

function readTurns(transcript: string): Turn[] {
  const turns: Turn[] = [];
  let turn: Turn = { sent: [], answered: [] };
  for (const line of transcript.split('\n').map((text) => text.trim())) {
    if (line === '') continue;
    const [, who, text = ''] = /^([CS]):(?: (.*))?$/.exec(line) ?? [];
    if (who === undefined) throw new Error(`Neither C: nor S: ${line}`);
    if (who === 'C' && turn.answered.length > 0) {
      turns.push(turn);
      turn = { sent: [], answered: [] };
    }
    (who === 'C' ? turn.sent : turn.answered).push(text);
  }
  return [...turns, turn];
}

function matches(line: string, expected: string): boolean {
  return expected.endsWith('…') ? line.startsWith(expected.slice(0, -1)) : line === expected;
}

export async function playTranscript(peer: Peer, transcript: string): Promise<void> {
  for (const { sent, answered } of readTurns(transcript)) {
    if (sent.length > 0) peer.send(Buffer.from(sent.map((line) => `${line}\r\n`).join('')));
    for (const expected of answered) {
      const line = await peer.readLine();
      if (!matches(line, expected)) expect(line, `after C: ${sent.join(' / ')}`).toBe(expected);
    }
  }
}

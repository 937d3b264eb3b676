import { describe, expect, it } from 'vitest';

import { DialoguePace, type Dialogue } from './dialogue-pace.ts';

const second = 1000;
const minute = 60 * second;
const roomy = { isCrowded: false, isPressed: false };
const crowded = { isCrowded: true, isPressed: true };
const pressed = { isCrowded: false, isPressed: true };

function dialogue(state: Partial<Dialogue> = {}): Dialogue {
  return { commandCount: 0, hasRecipient: false, isReceivingMessage: false, bodyBytes: 0, ...state };
}

interface Sent {
  readonly crowding: typeof roomy;
  /** The dialogue as it is at that time. */
  readonly at: (ms: number) => Dialogue;
  /** Between one input and the next. */
  readonly everyMs: number;
}

/** When it is overdue, looked at every half second. */
function findEnd({ crowding, at, everyMs }: Sent): number {
  const pace = new DialoguePace(0, 5 * minute);
  for (let now = 0; now < 60 * minute; now += 500) {
    if (now % everyMs === 0) pace.recordInput(now);
    if (pace.isOverdue(now, at(now), crowding)) return now;
  }
  return Infinity;
}

describe('a sender that trickles a byte every 8 seconds', () => {
  const everyMs = 8 * second;

  it('has ten minutes for a command while there is room (RFC 5321 §4.5.3.2), and 30 seconds otherwise', () => {
    const at = (): Dialogue => dialogue();
    expect(findEnd({ crowding: roomy, everyMs, at })).toBe(10 * minute + 500);
    expect(findEnd({ crowding: crowded, everyMs, at })).toBe(30 * second + 500);
  });

  it('has thirty minutes for a message while there is room, and 30 seconds otherwise', () => {
    const at = (ms: number): Dialogue => dialogue({ isReceivingMessage: true, bodyBytes: ms / everyMs });
    expect(findEnd({ crowding: roomy, everyMs, at })).toBe(30 * minute + 500);
    expect(findEnd({ crowding: crowded, everyMs, at })).toBe(30 * second + 500);
    expect(findEnd({ crowding: pressed, everyMs, at })).toBe(30 * second + 500);
  });
});

describe('a sender of whole commands without end', () => {
  it('has a minute to get to a message while it is crowded', () => {
    const at = (ms: number): Dialogue =>
      dialogue({ commandCount: Math.floor(ms / (10 * second)), hasRecipient: true });
    expect(findEnd({ crowding: crowded, everyMs: 10 * second, at })).toBe(minute + 500);
  });
});

describe('a sender on a slow line', () => {
  it('is served at 2 KB a second even in a crowd', () => {
    const at = (ms: number): Dialogue => dialogue({ isReceivingMessage: true, bodyBytes: 2 * ms });
    expect(findEnd({ crowding: crowded, everyMs: second, at })).toBe(30 * minute + 500);
  });

  it('that sent much and then trickles lives on no credit', () => {
    const at = (ms: number): Dialogue =>
      dialogue({ isReceivingMessage: true, bodyBytes: 30_000_000 + ms / 1000 });
    expect(findEnd({ crowding: pressed, everyMs: second, at })).toBe(30 * second + 500);
  });

  it('that pauses for four minutes between two pieces is waited for while there is room', () => {
    const at = (ms: number): Dialogue =>
      dialogue({ isReceivingMessage: true, bodyBytes: Math.floor(ms / (4 * minute)) });
    expect(findEnd({ crowding: roomy, everyMs: 4 * minute, at })).toBe(30 * minute + 500);
  });
});

it('the time that we take is not the sender’s', () => {
  const pace = new DialoguePace(0, 5 * minute);
  for (let now = 0; now < 50 * second; now += 500) pace.rest(now);
  expect(pace.isOverdue(50 * second, dialogue(), crowded)).toBe(false);
});

it('each message has its own time, and its own rate', () => {
  const pace = new DialoguePace(0, 5 * minute);
  expect(pace.isOverdue(500, dialogue({ isReceivingMessage: true, bodyBytes: 100_000 }), pressed)).toBe(
    false,
  );
  pace.recordMessage(20 * second);
  expect(pace.isOverdue(25 * second, dialogue({ isReceivingMessage: true, bodyBytes: 10 }), pressed)).toBe(
    false,
  );
  expect(pace.isOverdue(56 * second, dialogue({ isReceivingMessage: true, bodyBytes: 10 }), pressed)).toBe(
    true,
  );
});

it('a handshake has 30 seconds, and ten where it is crowded', () => {
  for (const [crowding, msMax] of [
    [roomy, 30 * second],
    [crowded, 10 * second],
  ] as const) {
    const pace = new DialoguePace(0, 5 * minute);
    pace.beginHandshake(0);
    expect(pace.isOverdue(msMax, dialogue(), crowding)).toBe(false);
    expect(pace.isOverdue(msMax + 1, dialogue(), crowding)).toBe(true);
    pace.endHandshake();
    expect(pace.isOverdue(msMax + 1, dialogue(), roomy)).toBe(false);
  }
});

describe('with every place taken', () => {
  it.each([
    { of: 'without a recipient', state: dialogue(), keptMs: 3000, lack: 'recipient' },
    { of: 'that is nobody yet', state: undefined, keptMs: 3000, lack: 'recipient' },
    { of: 'without data', state: dialogue({ hasRecipient: true }), keptMs: 15_000, lack: 'message' },
    {
      of: 'whose message comes slowly',
      state: dialogue({ isReceivingMessage: true, bodyBytes: 1000 }),
      keptMs: 60_000,
      lack: 'speed',
    },
  ])('one $of may go after a while', ({ state, keptMs, lack }) => {
    const pace = new DialoguePace(0, 5 * minute);
    expect(pace.findLack(keptMs, state)).toBeUndefined();
    expect(pace.findLack(keptMs + 1, state)).toBe(lack);
  });

  it.each([
    { of: 'without a recipient', state: dialogue(), keptMs: 1000 },
    { of: 'without data', state: dialogue({ hasRecipient: true }), keptMs: 2000 },
    { of: 'with nothing of its message', state: dialogue({ isReceivingMessage: true }), keptMs: 5000 },
    {
      of: 'with little of it',
      state: dialogue({ isReceivingMessage: true, bodyBytes: 300_000 }),
      keptMs: 5000,
    },
  ])('one of a crowd $of may go sooner', ({ state, keptMs }) => {
    const pace = new DialoguePace(0, 5 * minute);
    expect(pace.findLack(keptMs, state, true)).toBeUndefined();
    expect(pace.findLack(keptMs + 1, state, true)).toBeDefined();
    expect(pace.findLack(keptMs + 1, state)).toBeUndefined();
  });

  it.each([
    { of: 'one', isOfCrowd: false, bytesPerSecond: 8 * 1024 },
    { of: 'one of a crowd', isOfCrowd: true, bytesPerSecond: 64 * 1024 },
  ])('$of whose message comes just as fast as required stays', ({ isOfCrowd, bytesPerSecond }) => {
    const pace = new DialoguePace(0, 5 * minute);
    const at = (bodyBytes: number): Dialogue => dialogue({ isReceivingMessage: true, bodyBytes });
    expect(pace.findLack(100 * second, at(100 * bytesPerSecond), isOfCrowd)).toBeUndefined();
    expect(pace.findLack(100 * second, at(100 * bytesPerSecond - 1), isOfCrowd)).toBe('speed');
  });

  it('one whose message comes well stays', () => {
    const state = dialogue({ isReceivingMessage: true, bodyBytes: 20_000_000 });
    expect(new DialoguePace(0, 5 * minute).findLack(10 * minute, state)).toBeUndefined();
  });
});

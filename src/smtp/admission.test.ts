import { describe, expect, it } from 'vitest';

import { Admission, type AdmissionSettings } from './admission.ts';
import { replies } from './reply.ts';

const unlimited: AdmissionSettings = {
  connectionsMax: Infinity,
  connectionsPerAddressMax: Infinity,
  connectsPerMinute: Infinity,
  messagesPerMinute: Infinity,
  inFlightMaxBytes: Infinity,
};

function admit(settings: Partial<AdmissionSettings> = {}) {
  const state = { isOverloaded: false, isDiskLow: false };
  const vitals = { isOverloaded: () => state.isOverloaded, isDiskLow: () => state.isDiskLow };
  return { state, admission: new Admission({ settings: { ...unlimited, ...settings }, vitals }) };
}

describe('connections', () => {
  it('are let in up to the cap over all networks, and again when one has left', () => {
    const { admission } = admit({ connectionsMax: 3 });
    for (const network of ['a', 'b', 'c']) expect(admission.enter(network)).toBeUndefined();
    expect(admission.enter('d')).toBe(replies.tooManyConnections);
    admission.leave('b');
    expect(admission.enter('d')).toBeUndefined();
    expect(admission.enter('b')).toBe(replies.tooManyConnections);
  });

  it('of one network are let in up to its own cap, without touching another', () => {
    const { admission } = admit({ connectionsPerAddressMax: 2 });
    expect([1, 2, 3].map(() => admission.enter('a'))).toEqual([
      undefined,
      undefined,
      replies.tooManyFromAddress,
    ]);
    expect(admission.enter('b')).toBeUndefined();
    admission.leave('a');
    expect(admission.enter('a')).toBeUndefined();
    expect(admission.enter('a')).toBe(replies.tooManyFromAddress);
  });

  it('that were refused are not counted: they need not leave', () => {
    const { admission, state } = admit({ connectionsMax: 1, connectionsPerAddressMax: 1 });
    state.isOverloaded = true;
    for (let i = 0; i < 10; i++) expect(admission.enter('a')).toBe(replies.overloaded);
    state.isOverloaded = false;
    expect(admission.enter('a')).toBeUndefined();
  });

  it('come at their rate a minute, each network for itself', () => {
    const { admission } = admit({ connectsPerMinute: 5 });
    for (let i = 0; i < 5; i++) {
      expect(admission.enter('a')).toBeUndefined();
      admission.leave('a');
    }
    expect(admission.enter('a')).toBe(replies.tooManyFromAddress);
    expect(admission.enter('b')).toBeUndefined();
  });

  it('that a cap refuses do not use up the rate', () => {
    const { admission } = admit({ connectionsPerAddressMax: 1, connectsPerMinute: 2 });
    admission.enter('a');
    for (let i = 0; i < 10; i++) admission.enter('a');
    admission.leave('a');
    expect(admission.enter('a')).toBeUndefined();
  });

  it('get 421 4.3.2 while the event loop is late', () => {
    const { admission, state } = admit();
    state.isOverloaded = true;
    expect(admission.enter('a')).toMatch(/^421 4\.3\.2 /);
    state.isOverloaded = false;
    expect(admission.enter('a')).toBeUndefined();
  });

  it('crowd it from more than four fifths of the cap on', () => {
    const { admission } = admit({ connectionsMax: 10 });
    const crowded: boolean[] = [];
    for (let count = 1; count <= 10; count++) {
      admission.enter(`${count}`);
      crowded.push(admission.isCrowded);
    }
    expect(crowded.indexOf(true)).toBe(8);
    admission.leave('1');
    admission.leave('2');
    expect(admission.isCrowded).toBe(false);
  });

  it('never crowd it without a cap', () => {
    const { admission } = admit();
    for (let count = 0; count < 1000; count++) admission.enter('a');
    expect(admission.isCrowded).toBe(false);
  });
});

describe('transactions', () => {
  it('come at their rate a minute, each network for itself', () => {
    const { admission } = admit({ messagesPerMinute: 3 });
    expect([1, 2, 3, 4].map(() => admission.admitTransaction('a'))).toEqual([
      undefined,
      undefined,
      undefined,
      replies.slowDown,
    ]);
    expect(admission.admitTransaction('b')).toBeUndefined();
  });
});

describe('room', () => {
  it('is reserved up to the cap, to the byte, and given back', () => {
    const { admission } = admit({ inFlightMaxBytes: 100 });
    expect(admission.reserve(60)).toBeUndefined();
    expect(admission.reserve(41)).toBe(replies.storageFull);
    expect(admission.reserve(40)).toBeUndefined();
    expect(admission.reserve(1)).toBe(replies.storageFull);
    admission.giveBack(60);
    expect(admission.reserve(60)).toBeUndefined();
  });

  it('is there for one message, however large it may be', () => {
    const { admission } = admit({ inFlightMaxBytes: 100 });
    expect(admission.reserve(500)).toBeUndefined();
    expect(admission.reserve(1)).toBe(replies.storageFull);
    admission.giveBack(500);
    expect(admission.reserve(500)).toBeUndefined();
  });

  it('is for nobody while the disk is low', () => {
    const { admission, state } = admit();
    state.isDiskLow = true;
    expect(admission.reserve(1)).toMatch(/^452 4\.3\.1 /);
    state.isDiskLow = false;
    expect(admission.reserve(1)).toBeUndefined();
  });
});

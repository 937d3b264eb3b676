import { describe, expect, it } from 'vitest';

import { replies } from '../../mail-receiver/src/reply.ts';
import { Admission, type AdmissionSettings } from './admission.ts';

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
  return {
    state,
    admission: new Admission({ makeRoom: () => false, settings: { ...unlimited, ...settings }, vitals }),
  };
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

  it("are admitted up to their network's cap, without affecting another network", () => {
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

describe('a site', () => {
  it('has its own cap, however many networks it has, and does not touch another', () => {
    const { admission } = admit({ connectionsPerSiteMax: 3 });
    const enter = (at: number, site: string) => admission.enter(`${site}${at}`, site);
    expect([1, 2, 3, 4].map((at) => enter(at, 'x'))).toEqual([
      undefined,
      undefined,
      undefined,
      replies.tooManyFromNetwork,
    ]);
    expect(enter(1, 'y')).toBeUndefined();
    admission.leave('x1', 'x');
    expect(enter(5, 'x')).toBeUndefined();
    expect(enter(6, 'x')).toBe(replies.tooManyFromNetwork);
  });

  it('comes ten times as fast as one of its networks, and no faster', () => {
    const { admission } = admit({ connectsPerMinute: 5 });
    const answers = Array.from({ length: 60 }, (_, at) => admission.enter(`x${at}`, 'x'));
    expect(answers.filter((one) => one === undefined)).toHaveLength(50);
    expect(admission.enter('y', 'y')).toBeUndefined();
  });
});

describe('with every place taken', () => {
  it('a newcomer gets the place of one that goes for it, and 421 where none does', () => {
    const vitals = { isOverloaded: () => false, isDiskLow: () => false };
    const leaving = ['a'];
    const admission: Admission = new Admission({
      settings: { ...unlimited, connectionsMax: 2 },
      vitals,
      makeRoom: () => {
        const network = leaving.pop();
        if (network !== undefined) admission.leave(network);
        return network !== undefined;
      },
    });
    expect(['a', 'b', 'c', 'd'].map((network) => admission.enter(network))).toEqual([
      undefined,
      undefined,
      undefined,
      replies.tooManyConnections,
    ]);
  });

  it('a network at its cap displaces no connection', () => {
    const makeRoom = (): never => {
      throw new Error('Asked for nothing.');
    };
    const vitals = { isOverloaded: () => false, isDiskLow: () => false };
    const settings = { ...unlimited, connectionsMax: 1, connectionsPerAddressMax: 1 };
    const admission = new Admission({ settings, vitals, makeRoom });
    admission.enter('a');
    expect(admission.enter('a')).toBe(replies.tooManyFromAddress);
  });
});

describe('unknown recipients', () => {
  it('are limited per minute and network over all connections; beyond that, all its recipients wait', () => {
    const { admission } = admit({ unknownRecipientsPerMinute: 3 });
    const [a, b] = [admission.placeOf('a', 'x'), admission.placeOf('b', 'x')];
    for (let count = 0; count < 3; count++) {
      expect(admission.admitRecipient(a)).toBeUndefined();
      admission.recordUnknownRecipient(a);
    }
    expect(admission.admitRecipient(a)).toMatch(/^450 4\.7\.1 /);
    expect(admission.admitRecipient(admission.placeOf('a', 'x'))).toMatch(/^450 4\.7\.1 /);
    expect(admission.admitRecipient(b)).toBeUndefined();
  });

  it('are limited to ten times as many per site', () => {
    const { admission } = admit({ unknownRecipientsPerMinute: 3 });
    for (let at = 0; at < 30; at++) admission.recordUnknownRecipient(admission.placeOf(`x${at}`, 'x'));
    expect(admission.admitRecipient(admission.placeOf('new', 'x'))).toMatch(/^450 4\.7\.1 /);
    expect(admission.admitRecipient(admission.placeOf('new', 'y'))).toBeUndefined();
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
    admission.release(60);
    expect(admission.reserve(60)).toBeUndefined();
  });

  it('is there for one message, however large it may be', () => {
    const { admission } = admit({ inFlightMaxBytes: 100 });
    expect(admission.reserve(500)).toBeUndefined();
    expect(admission.reserve(1)).toBe(replies.storageFull);
    admission.release(500);
    expect(admission.reserve(500)).toBeUndefined();
  });

  it('is not used up by one network, nor by one site', () => {
    const { admission } = admit({
      inFlightMaxBytes: 1000,
      inFlightPerAddressMaxBytes: 200,
      inFlightPerSiteMaxBytes: 400,
    });
    const places = ['a', 'b', 'c'].map((network) => admission.placeOf(network, 'x'));
    for (const place of places.slice(0, 2)) {
      expect(admission.reserve(150, place)).toBeUndefined();
      expect(admission.reserve(51, place)).toBe(replies.storageFull);
      expect(admission.reserve(50, place)).toBeUndefined();
    }
    expect(admission.reserve(1, places[2])).toBe(replies.storageFull);
    expect(admission.admitMessage(0, places[2])).toBe(replies.storageFull);
    const other = admission.placeOf('d', 'y');
    expect(admission.admitMessage(200, other)).toBeUndefined();
    expect(admission.reserve(200, other)).toBeUndefined();
    admission.release(200, places[0]);
    expect(admission.reserve(1, places[2])).toBeUndefined();
  });

  it('is asked about before a message, and not taken by the question', () => {
    const { admission } = admit({ inFlightMaxBytes: 100 });
    for (let count = 0; count < 10; count++) expect(admission.admitMessage(60)).toBeUndefined();
    admission.reserve(50);
    expect(admission.admitMessage(60)).toBe(replies.storageFull);
    expect(admission.admitMessage(0)).toBeUndefined();
  });

  it('is left for small messages, of the last quarter', () => {
    const mebibyte = 1024 * 1024;
    const { admission } = admit({ inFlightMaxBytes: 8 * mebibyte });
    for (let held = 0; held < 3; held++) {
      expect(admission.reserve(mebibyte)).toBeUndefined();
      expect(admission.reserve(mebibyte, undefined, mebibyte)).toBeUndefined();
    }
    expect(admission.reserve(1, undefined, 2 * mebibyte)).toBe(replies.storageFull);
    expect(admission.admitMessage(2 * mebibyte)).toBe(replies.storageFull);
    expect(admission.reserve(mebibyte)).toBeUndefined();
  });

  it('is refused to everyone while the disk is low', () => {
    const { admission, state } = admit();
    state.isDiskLow = true;
    expect(admission.reserve(1)).toMatch(/^452 4\.3\.1 /);
    state.isDiskLow = false;
    expect(admission.reserve(1)).toBeUndefined();
  });
});

import { createHash, X509Certificate } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { dayMs, hourMs, keepCertificate, minuteMs } from '../../../test/support/acme/kept-certificate.ts';

/** Steps as the loop does, until the condition holds. @returns the time that passed */
async function until(kept: ReturnType<typeof keepCertificate>, isDone: () => boolean, stepMs = minuteMs) {
  const from = kept.clock.now;
  for (let steps = 0; steps < 20_000; steps++) {
    await kept.keeper.step();
    if (isDone()) return kept.clock.now - from;
    kept.clock.now += stepMs;
  }
  throw new Error('It did not come about.');
}

describe('a first certificate', () => {
  it('is obtained, stored sealed, and served at once', async () => {
    const kept = keepCertificate();
    expect(kept.serving.isTrusted).toBe(false);
    const before = kept.serving.current();
    await kept.keeper.step();
    expect(kept.serving.isTrusted).toBe(true);
    expect(kept.serving.current()).not.toBe(before);
    const leaf = new X509Certificate(kept.serving.chainPem);
    expect(leaf.checkHost('mail.example.org')).toBe('mail.example.org');
    expect(leaf.checkHost('mx.example.org')).toBe('mx.example.org');
    for (const sealed of kept.store.rows.values()) {
      expect(Buffer.from(sealed).toString('latin1')).not.toMatch(/PRIVATE KEY|CERTIFICATE|example/);
    }
    expect(kept.lines.map(({ event }) => event)).toEqual(['certificate.issued']);
  });

  it('is rehearsed at the staging server, and only names that pass there are ordered', async () => {
    const kept = keepCertificate({ hasStaging: true });
    kept.staging.faults.unreachable.add('mx.example.org');
    await kept.keeper.step();
    expect(kept.authority.counts.orders).toBe(0);
    expect(kept.keeper.progress.failure).toMatchObject({ kind: 'validation', count: 1 });
    kept.staging.faults.unreachable.clear();
    await until(kept, () => kept.serving.isTrusted);
    expect(kept.authority.counts).toMatchObject({ orders: 1, issued: 1 });
    expect(kept.serving.facts?.directoryUrl).toBe(kept.authority.directoryUrl);
    // The next one needs no rehearsal.
    const { orders } = kept.staging.counts;
    await until(kept, () => kept.authority.counts.issued === 2, hourMs);
    expect(kept.staging.counts.orders).toBe(orders);
  });

  it('does not wait for a staging server that is away', async () => {
    const kept = keepCertificate({ hasStaging: true });
    kept.staging.faults.isAway = true;
    await kept.keeper.step();
    expect(kept.serving.isTrusted).toBe(true);
  });

  it('goes without a name that keeps failing, and has it as soon as it works', async () => {
    const kept = keepCertificate();
    kept.authority.faults.unreachable.add('mx.example.org');
    await until(kept, () => kept.serving.isTrusted);
    expect(kept.serving.facts?.names).toEqual(['mail.example.org']);
    kept.authority.faults.unreachable.clear();
    const took = await until(kept, () => kept.serving.facts?.names.length === 2, 10 * minuteMs);
    expect(took).toBeLessThanOrEqual(dayMs + hourMs);
  });

  it('has the profile wanted, or says which there are', async () => {
    const authority = { profiles: ['classic', 'shortlived'] };
    const short = keepCertificate({ authority, profile: 'shortlived' });
    await short.keeper.step();
    expect(short.authority.orders.map(({ profile }) => profile)).toEqual(['shortlived']);
    const wrong = keepCertificate({ authority, profile: 'longlived' });
    await wrong.keeper.step();
    expect(wrong.keeper.progress.failure).toMatchObject({
      kind: 'refused',
      reason: 'The server has only classic, shortlived, and not longlived.',
    });
  });

  it('for an IP address is of the profile that has them', async () => {
    const kept = keepCertificate({
      names: ['192.0.2.1'],
      authority: { profiles: ['classic', 'shortlived'] },
    });
    await kept.keeper.step();
    expect(kept.authority.orders.map(({ profile }) => profile)).toEqual(['shortlived']);
    expect(new X509Certificate(kept.serving.chainPem).checkIP('192.0.2.1')).toBe('192.0.2.1');
  });
});

describe('a renewal', () => {
  it('names the certificate that it replaces, at the time that the server advises', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    const first = kept.serving.chainPem;
    kept.authority.window = { from: kept.clock.now + dayMs, until: kept.clock.now + dayMs + hourMs };
    const took = await until(kept, () => kept.serving.chainPem !== first, 10 * minuteMs);
    expect(took).toBeGreaterThanOrEqual(dayMs);
    expect(took).toBeLessThanOrEqual(dayMs + 2 * hourMs);
    expect(kept.authority.orders[1]?.replaces).toMatch(/^[\w-]+\.[\w-]+$/);
    // It asked as often as it was to, and not at each step.
    expect(kept.authority.counts.advice).toBeLessThan(10);
  });

  it('comes before the end though the server advises one long after it', async () => {
    const kept = keepCertificate();
    kept.authority.window = { from: kept.clock.now + 100 * dayMs, until: kept.clock.now + 101 * dayMs };
    await kept.keeper.step();
    const { notAfter = 0 } = kept.serving.facts ?? {};
    await until(kept, () => kept.authority.counts.issued === 2, hourMs);
    expect(notAfter - kept.clock.now).toBeGreaterThan(12 * hourMs);
  });

  it('does not follow a server that wants every certificate replaced at once in a loop', async () => {
    const kept = keepCertificate();
    kept.authority.window = { from: 0, until: 1000 };
    const end = kept.clock.now + dayMs;
    await until(kept, () => kept.clock.now >= end, 10 * minuteMs);
    expect(kept.authority.counts.issued).toBeLessThanOrEqual(25);
  });

  it('that fails leaves the certificate in place, whatever the failure', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    const { chainPem } = kept.serving;
    await kept.records.writeRequest(kept.clock.now + 1);
    kept.clock.now += 2;
    for (const fault of [{ status: 500 }, { status: 403 }, { isAway: true }, { failedValidations: 1.1 }]) {
      Object.assign(kept.authority.faults, { status: undefined, isAway: false, ...fault });
      await kept.records.writeRequest(kept.clock.now);
      await kept.keeper.step();
      expect(kept.serving.chainPem).toBe(chainPem);
      expect((await kept.records.readCertificate())?.chainPem).toBe(chainPem);
      kept.clock.now += hourMs;
    }
    expect(kept.keeper.progress.failure?.count).toBe(4);
  });

  it('is asked for by the operator, once', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    kept.clock.now += minuteMs;
    await kept.records.writeRequest(kept.clock.now);
    kept.clock.now += minuteMs;
    await kept.keeper.step();
    await kept.keeper.step();
    expect(kept.authority.counts.issued).toBe(2);
  });
});

describe('a server', () => {
  it('that is away for days is asked ever more rarely, and found again before the certificate ends', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    const { notAfter = 0 } = kept.serving.facts ?? {};
    kept.clock.now += 3 * dayMs;
    kept.authority.faults.isAway = true;
    const { requests } = kept.authority.counts;
    const back = kept.clock.now + 2 * dayMs;
    await until(kept, () => kept.clock.now >= back, 10 * minuteMs);
    // With a question an hour when to renew.
    expect(kept.authority.counts.requests - requests).toBeLessThan(48 + 30);
    kept.authority.faults.isAway = false;
    await until(kept, () => kept.authority.counts.issued === 2);
    expect(kept.clock.now).toBeLessThan(notAfter);
    expect(kept.keeper.progress.failure).toBeUndefined();
  });

  it('that limits orders is left alone as long as it says, even after a restart', async () => {
    const kept = keepCertificate();
    kept.authority.faults.retryAfter = String(30 * 3600);
    await kept.keeper.step();
    expect(kept.keeper.progress.failure).toMatchObject({ kind: 'rate_limited', waitMs: 30 * hourMs });
    kept.authority.faults.retryAfter = undefined;
    const { requests } = kept.authority.counts;
    kept.clock.now += 29 * hourMs;
    await kept.addNode('a').keeper.step();
    expect(kept.authority.counts.requests).toBe(requests);
    kept.clock.now += hourMs;
    await kept.keeper.step();
    expect(kept.serving.isTrusted).toBe(true);
  });

  it('that forgot the account gets it again', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    kept.authority.forgetAccounts();
    await kept.records.writeRequest(kept.clock.now + 1);
    kept.clock.now += 2;
    await until(kept, () => kept.authority.counts.issued === 2);
    expect(kept.keeper.progress.failure).toBeUndefined();
  });
});

describe('a clock', () => {
  it('that jumps a year ahead orders once, not in a loop, and comes back without harm', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    const real = kept.clock.now;
    kept.clock.now += 365 * dayMs;
    await kept.keeper.step();
    const ahead = kept.authority.counts.issued;
    expect(ahead).toBe(2);
    kept.clock.now = real + hourMs;
    for (let steps = 0; steps < 100; steps++) await kept.keeper.step();
    expect(kept.authority.counts.issued).toBeLessThanOrEqual(ahead + 1);
    expect(kept.serving.endsAt).toBeGreaterThan(kept.clock.now);
  });

  it('that is ahead of the server’s takes each certificate for ended, and waits hours before the next', async () => {
    const kept = keepCertificate({ authority: { lifetimeMs: -dayMs } });
    await kept.keeper.step();
    expect(kept.keeper.progress.failure).toMatchObject({ kind: 'clock', waitMs: 6 * hourMs });
    for (let steps = 0; steps < 300; steps++) {
      kept.clock.now += minuteMs;
      await kept.keeper.step();
    }
    expect(kept.authority.counts.issued).toBe(1);
  });

  it('that is set back during a back-off does not prolong it', async () => {
    const kept = keepCertificate();
    kept.authority.faults.isAway = true;
    await kept.keeper.step();
    kept.authority.faults.isAway = false;
    kept.clock.now -= 10 * dayMs;
    await kept.keeper.step();
    expect(kept.serving.isTrusted).toBe(true);
  });
});

describe('several nodes', () => {
  it('all serve the certificate that one has obtained, and any answers a challenge', async () => {
    const kept = keepCertificate();
    const other = kept.addNode('b');
    await other.keeper.step();
    expect(kept.authority.counts.requests).toBe(0);
    const asked: (string | undefined)[] = [];
    Object.defineProperty(kept.board, 'answerHttp', {
      value: async (token: string) => {
        const text = await other.board.answerHttp(token);
        asked.push(text);
        return text;
      },
    });
    await kept.keeper.step();
    expect(asked.every((text) => text !== undefined)).toBe(true);
    expect(asked).toHaveLength(2);
    await other.keeper.step();
    expect(other.serving.chainPem).toBe(kept.serving.chainPem);
  });

  it('take over an order that was begun, with its key', async () => {
    const kept = keepCertificate();
    // The first node stops in the middle: its lease is gone when it wants to keep the certificate.
    const answer = kept.board.answerHttp.bind(kept.board);
    Object.defineProperty(kept.board, 'answerHttp', {
      value: (token: string) => {
        kept.store.holder = 'b';
        return answer(token);
      },
    });
    await expect(kept.keeper.step()).rejects.toThrow('Another node renews the certificate now.');
    const other = kept.addNode('b');
    await other.keeper.step();
    expect(other.serving.isTrusted).toBe(true);
    expect(kept.authority.counts.orders).toBe(1);
  });

  it('with another key keep to their own certificate', async () => {
    const kept = keepCertificate();
    await kept.keeper.step();
    const stranger = keepCertificate();
    for (const [name, sealed] of kept.store.rows) stranger.store.rows.set(name, sealed);
    stranger.store.holder = 'elsewhere';
    await stranger.keeper.step();
    await stranger.keeper.step();
    expect(stranger.serving.isTrusted).toBe(false);
    expect(stranger.unreadable).toEqual(['certificate', 'certificate progress', 'certificate challenges']);
    expect(stranger.authority.counts.requests).toBe(0);
  });
});

describe('a challenge', () => {
  it('is answered while its order runs, and not before or after', async () => {
    const kept = keepCertificate();
    const tokens: string[] = [];
    const answer = kept.board.answerHttp.bind(kept.board);
    Object.defineProperty(kept.board, 'answerHttp', {
      value: (token: string) => {
        tokens.push(token);
        return answer(token);
      },
    });
    await kept.keeper.step();
    expect(tokens).toHaveLength(2);
    await kept.board.look();
    for (const token of [...tokens, 'unknown-token-0123456789', '../../etc/passwd', '']) {
      expect(await answer(token)).toBeUndefined();
    }
  });

  it('over TLS is a certificate of its own, for the name alone', async () => {
    const kept = keepCertificate({
      names: ['mail.example.org', '192.0.2.1'],
      challengeTypes: ['tls-alpn-01'],
    });
    const seen: (readonly [string, boolean])[] = [];
    const names = [
      'mail.example.org',
      'MAIL.example.org',
      '1.2.0.192.in-addr.arpa',
      '192.0.2.1',
      'mx.example.org',
    ];
    Object.defineProperty(kept.board, 'answerHttp', {
      value: () => {
        for (const name of names) seen.push([name, kept.board.answerTls(name) !== undefined]);
        return Promise.resolve(undefined);
      },
    });
    await kept.keeper.step();
    expect(seen.slice(0, 5).map(([, isAnswered]) => isAnswered)).toEqual([true, true, true, false, false]);
    for (const name of names) expect(kept.board.answerTls(name)).toBeUndefined();
  });
});

it('keeps an account apart for each server', async () => {
  const kept = keepCertificate({ hasStaging: true });
  await kept.keeper.step();
  const names = [...kept.store.rows.keys()].filter((name) => name.startsWith('acme account'));
  expect(names).toHaveLength(2);
  const [one, other] = names.map((name) =>
    createHash('sha256').update(kept.store.rows.get(name)!).digest('hex'),
  );
  expect(one).not.toBe(other);
});

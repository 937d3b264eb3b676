// `code_kind` over a running service: real mail of each kind, found by check-mail and awaited by wait-mail, and by them
// alone.
import { describe, expect, it } from 'vitest';

import { codeKinds } from '@mayfly/mail-reader/codes';
import { ask, startHttp, type Untyped } from './http-harness.ts';

interface KindMail {
  readonly kind: (typeof codeKinds)[number];
  readonly value: string;
  readonly subject: string;
  readonly text?: string;
  readonly html?: string;
}

const recovery = '48213377\n11820477\n90441820\n55102938\n73018264\n20957741\n';

const mails: readonly KindMail[] = [
  { kind: 'otp', value: '482913', subject: 'Sign in', text: 'Your verification code is 482913.' },
  {
    kind: 'otp',
    value: '739204',
    subject: 'Bestätigen Sie Ihre Adresse',
    html: '<p>Geben Sie diesen Code ein:</p><p style="font-size:32px">739 204</p><p>Er gilt 10 Minuten.</p>',
  },
  { kind: 'pin', value: '4829', subject: 'Your new PIN', text: 'Your PIN is 4829. Tell it to no one.' },
  {
    kind: 'pin',
    value: '73014',
    subject: 'Deine PIN',
    html: '<p>Deine PIN lautet <b>73014</b>. Gib sie in der App ein.</p>',
  },
  {
    kind: 'pickup',
    value: '5518',
    subject: 'Your parcel has arrived',
    text: 'Your parcel is in locker 14.\n\nPickup code: 5518\n',
  },
  {
    kind: 'pickup',
    value: '48290173',
    subject: 'Votre colis est disponible',
    html: '<p>Votre colis vous attend en point relais.</p><p>Code de retrait : <b>48290173</b></p>',
  },
  {
    kind: 'password',
    value: 'Sifa.7720',
    subject: 'Welcome aboard',
    text: 'User: mara\nTemporary password: Sifa.7720\nChange it when you first sign in.',
  },
  {
    kind: 'password',
    value: 'Fiets7!kk',
    subject: 'Uw account',
    html: '<p>Uw tijdelijke wachtwoord: <b>Fiets7!kk</b></p>',
  },
  {
    kind: 'backup',
    value: '48213377',
    subject: 'Your backup codes',
    text: `Your backup codes:\n${recovery}`,
  },
  {
    kind: 'backup',
    value: 'K7F2-9QMX',
    subject: 'Zwei-Faktor-Anmeldung',
    html: '<p>Ihr Backup-Code: <b>K7F2-9QMX</b></p><p>Bewahren Sie ihn sicher auf.</p>',
  },
  {
    kind: 'quoted',
    value: '739214',
    subject: 'Re: no code',
    text: 'Please ask for another one.\n\nOn Fri, 13 Nov 2026 at 09:12, Ann <ann@friend.example> wrote:\n> Your verification code is 739214\n',
  },
  {
    kind: 'quoted',
    value: '991827',
    subject: 'Fwd: Anmeldung',
    html: '<p>Hat das bei dir je funktioniert?</p><div class="gmail_quote"><div>Am 13.11.2026 schrieb Ann:</div><blockquote>Ihr Bestätigungscode lautet 991827.</blockquote></div>',
  },
];

const toRaw = ({ subject, text, html }: KindMail): string =>
  [
    'From: Nimbus <no-reply@nimbus.example>',
    `Subject: =?utf-8?B?${Buffer.from(subject).toString('base64')}?=`,
    `Content-Type: text/${html === undefined ? 'plain' : 'html'}; charset=utf-8`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(html ?? text ?? '').toString('base64'),
    '',
  ].join('\r\n');

async function start() {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const get = async (target: string): Promise<Untyped> => {
    const { status, json } = await ask(harness, target, { headers: { authorization: `Bearer ${token}` } });
    expect([target, status]).toEqual([target, 200]);
    return json;
  };
  const subjects = async (target: string): Promise<string[]> =>
    (await get(target)).messages.map(({ subject }: { subject: string }) => subject);
  return { harness, get, subjects, deliver: (raw: string) => harness.deliver(raw, [session]) };
}

describe('code_kind', () => {
  it('finds the mails with a code of that kind, and no other', async () => {
    const { subjects, deliver } = await start();
    await deliver('From: a@b.example\r\nSubject: plain\r\n\r\nYour order 482917 is on its way.\r\n');
    for (const mail of mails) await deliver(toRaw(mail));
    for (const kind of codeKinds) {
      const wanted = mails.filter((mail) => mail.kind === kind).map(({ subject }) => subject);
      expect(wanted.length).toBeGreaterThanOrEqual(2);
      expect([kind, await subjects(`/check-mail?code_kind=${kind}`)]).toEqual([kind, wanted.toReversed()]);
    }
  });

  it.each(mails)('is that of the value that read-mail gives first: $kind, $subject', async (mail) => {
    const { get, deliver } = await start();
    const id = await deliver(toRaw(mail));
    const { message } = await get(`/read-mail?id=${id}`);
    expect(message.codes[0]).toMatchObject({ kind: mail.kind, value: mail.value });
  });

  it.each(codeKinds)('keeps wait-mail waiting until a code of that kind arrives: %s', async (kind) => {
    const { harness, get, deliver } = await start();
    const other = mails.find((mail) => mail.kind !== kind);
    const wanted = mails.find((mail) => mail.kind === kind);
    if (!other || !wanted) throw new Error('each kind has a mail');
    await deliver(toRaw(other));
    const answer = get(`/wait-mail?code_kind=${kind}&timeout=60`);
    await expect.poll(() => harness.countLive(), { interval: 5 }).toBe(1);
    await deliver(toRaw(other));
    await deliver(toRaw(wanted));
    const { message } = await answer;
    expect(message.subject).toBe(wanted.subject);
    expect(message.codes.map((code: { kind: string }) => code.kind)).toContain(kind);
  });
});

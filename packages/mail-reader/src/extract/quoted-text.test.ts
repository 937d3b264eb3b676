// Quoted and forwarded mail, through findCodes: only what a mail says itself is its code.
import { describe, expect, it } from 'vitest';
import { findCodes, findListedCode, type FoundCode } from './find-codes.ts';

interface Parts {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string | null;
}

function find({ subject = 'Acme', text = '', html = null }: Parts): FoundCode[] {
  return findCodes({ subject, text, html, senderName: 'Acme', senderEmail: 'help@acme.example' });
}

const own = 'Sorry about that, please ask for another one.';
const old = 'Your verification code is 739214';

const quotations: [string, string][] = [
  ['lines after ">"', `${own}\n\n> ${old}\n> It expires in 10 minutes.\n`],
  ['nested lines', `${own}\n\n> Hi,\n>\n> > ${old}\n`],
  [
    'an English attribution',
    `${own}\n\nOn Fri, 13 Nov 2026 at 09:12, Ann <ann@friend.example> wrote:\n\n${old}\n`,
  ],
  [
    'a broken attribution',
    `${own}\n\nOn Fri, 13 Nov 2026 at 09:12, Ann Lee\n<ann@friend.example> wrote:\n> ${old}\n`,
  ],
  ['German', `${own}\n\nAm 13.11.2026 um 09:12 schrieb Ann:\n\n${old}\n`],
  ['French', `${own}\n\nLe ven. 13 nov. 2026 à 09:12, Ann a écrit :\n${old}\n`],
  ['Spanish', `${own}\n\nEl vie, 13 nov 2026 a las 9:12, Ann (<ann@friend.example>) escribió:\n${old}\n`],
  ['Polish', `${own}\n\npt., 13 lis 2026 o 09:12 Ann <ann@friend.example> napisał(a):\n${old}\n`],
  ['Russian', `${own}\n\nпт, 13 нояб. 2026 г. в 09:12, Ann <ann@friend.example>:\n${old}\n`],
  ['Japanese', `${own}\n\n2026年11月13日(金) 9:12 Ann <ann@friend.example>:\n${old}\n`],
  ['Chinese', `${own}\n\nAnn <ann@friend.example> 于2026年11月13日周五 09:12写道：\n${old}\n`],
  [
    'lines after ">" in a script without spaces',
    '再度お試しください。\n\n2026年11月13日(金) 9:12 田中 <tanaka@friend.example>:\n> 認証コード: 739214\n> 有効期限は10分です。\n',
  ],
  [
    'headers below a short answer in a script without spaces',
    '您好，请再试一次。\n\n发件人: Acme <a@acme.example>\n发送时间: 2026年11月13日 09:12\n收件人: li@friend.example\n主题: 验证码\n\n您的验证码是 739214，10分钟内有效。\n',
  ],
  [
    'Swahili',
    `${own}\n\nMnamo Ijumaa 13 Novemba 2026 saa 09:12, Ann <ann@friend.example> aliandika:\n${old}\n`,
  ],
  [
    'Outlook',
    `${own}\n\nFrom: Ann Lee\nSent: Friday, 13 November 2026 09:12\nTo: Support\nSubject: login\n\n${old}\n`,
  ],
  [
    'Outlook in German',
    `${own}\n\nVon: Ann Lee\nGesendet: Freitag, 13. November 2026 09:12\nAn: Support\nBetreff: Login\n\n${old}\n`,
  ],
  [
    'Outlook in Italian',
    `${own}\n\nDa: Ann Lee\nInviato: venerdì 13 novembre 2026 09:12\nA: Support\nOggetto: accesso\n\n${old}\n`,
  ],
  [
    'headers in a language without a list',
    `${own}\n\nOodaa: Ann <ann@friend.example>\nErgame: 13 Nov 2026 09:12\nGaradha: help <help@acme.example>\nMata: seensa\n\n${old}\n`,
  ],
  [
    'a forwarded message',
    `Did this ever work for you?\n\n---------- Forwarded message ---------\nFrom: Acme <a@acme.example>\nDate: Fri, 13 Nov 2026 at 09:12\nSubject: Your code\nTo: <ann@friend.example>\n\n${old}\n`,
  ],
  [
    'an original message',
    `${own}\n\n-----Ursprüngliche Nachricht-----\nVon: Ann\nGesendet: 13.11.2026 09:12\nAn: Support\n\n${old}\n`,
  ],
];

const elements: [string, string][] = [
  ['a blockquote', `<p>${own} We are here if it fails again.</p><blockquote><p>${old}</p></blockquote>`],
  [
    'gmail_quote',
    `<div>${own}</div><div class="gmail_quote"><div class="gmail_attr">On Friday, Ann wrote:</div><p>${old}</p></div>`,
  ],
  ['a citation', `<p>${own}</p><blockquote type="cite" style="margin:0"><div>${old}</div></blockquote>`],
  ['Yahoo', `<p>${own}</p><div class="yahoo_quoted">${old}</div>`],
  [
    'Outlook’s block',
    `<p>${own}</p><hr><div><b>From:</b> Ann<br><b>Sent:</b> 13 November 2026 09:12<br><b>To:</b> Support<br></div><p>${old}</p>`,
  ],
];

describe('a quoted code', () => {
  it.each(quotations)('is not the code of a mail that quotes it as %s', (_how, text) => {
    const codes = find({ subject: 'Re: code', text });
    expect(findListedCode(codes)).toBeUndefined();
    expect(codes).toMatchObject([{ value: '739214', kind: 'quoted' }]);
  });

  it.each(elements)('is not the code of a mail that quotes it in %s', (_how, html) => {
    const codes = find({ subject: 'Re: code', html });
    expect(findListedCode(codes)).toBeUndefined();
    expect(codes).toMatchObject([{ value: '739214', kind: 'quoted' }]);
  });

  it.each([
    ...quotations.map(([how, text]) => [how, { text }] as const),
    ...elements.map(([how, html]) => [how, { html }] as const),
  ])('stands behind the new one: %s', (_how, parts) => {
    const mine = 'Your new code is 482913.';
    const codes = find({
      subject: 'Re: code',
      text: 'text' in parts ? `${mine}\n${parts.text}` : '',
      html: 'html' in parts ? `<p>${mine}</p>${parts.html}` : null,
    });
    expect(findListedCode(codes)?.value).toBe('482913');
    expect(codes.map(({ kind }) => kind)).toEqual(['otp', 'quoted']);
  });

  it('is the code where nothing but it is forwarded', () => {
    const text = `\n\n---------- Forwarded message ---------\nFrom: Acme <a@acme.example>\nDate: Fri, 13 Nov 2026 at 09:12\nSubject: Your code\nTo: <ann@friend.example>\n\n${old}\n`;
    expect(findListedCode(find({ subject: 'Fwd: Your code', text }))?.value).toBe('739214');
  });
});

describe('text that only looks like a quotation', () => {
  it.each([
    [{ text: 'Your sign-in code:\n\n> 482913\n\nIt expires in 10 minutes.\n' }],
    [
      {
        html: '<p>Your sign-in code:</p><blockquote style="font-size:30px">482913</blockquote><p>Tell nobody.</p>',
      },
    ],
    [{ html: '<blockquote><p>Your sign-in code is 482913.</p><p>Tell nobody.</p></blockquote>' }],
    [{ text: 'Account: ann@friend.example\nTime: 2026-11-13 09:12\nPlace: Berlin\nYour code: 482913\n' }],
    [{ text: 'Enter this code before 13.11.2026 20:42:\n\n482913\n' }],
    [{ text: 'Sign-in to ann@friend.example, 13 November 2026, 09:12. Your code:\n\n482913\n' }],
    [{ text: '----- Your code -----\n\n482913\n\n---------------------\n' }],
  ])('keeps the code: %j', (parts) => {
    expect(findListedCode(find({ subject: 'Your sign-in code', ...parts }))?.value).toBe('482913');
  });
});

describe('two codes', () => {
  it.each([
    ['struck through', '<p>Your code: <s>739214</s> 482913</p>'],
    [
      'crossed out by a style',
      '<p>Your code:</p><p style="text-decoration:line-through">739214</p><p>482913</p>',
    ],
    ['replaced', '<p>Your old code 739214 no longer works.</p><p>Your new code is <b>482913</b>.</p>'],
    [
      'replaced, the new one first',
      '<p>Your new code is <b>482913</b>.</p><p>It replaces the code 739214.</p>',
    ],
    [
      'in rows',
      '<table><tr><td>Previous code</td><td>739214</td></tr><tr><td>New code</td><td>482913</td></tr></table>',
    ],
  ])('the old one is not shown where it is %s', (_how, html) => {
    expect(findListedCode(find({ subject: 'Your code', html }))?.value).toBe('482913');
  });
});

describe('the kind pickup', () => {
  it.each([
    ['Your parcel is in locker 14.\n\nPickup PIN: 4829\n', 'pickup'],
    ['Ihre Sendung liegt in der Packstation 148.\nAbholcode: 482913\n', 'pickup'],
    ['Kuryeye şu teslimat kodunu söyle: 8827', 'pickup'],
    ['您的包裹已到菜鸟驿站，请凭取件码 44170918 取件。', 'pickup'],
    ['Your sign-in code is 482913. It was sent by Parcelly.', 'otp'],
    ['Your PIN is 482913. Tell nobody.', 'pin'],
    ['Для получения доступа введите код: 482913', 'otp'],
  ])('%j has a code of the kind %s', (text, kind) => {
    expect(findListedCode(find({ text }))?.kind).toBe(kind);
  });
});

describe('the code in a list', () => {
  it('is neither a password nor a recovery code nor the key of a network', () => {
    expect(findListedCode(find({ text: 'Temporary password: Sifa.7720' }))).toBeUndefined();
    expect(findListedCode(find({ text: 'Network: Guest\nWi-Fi password: 48291735\n' }))).toBeUndefined();
    expect(find({ text: 'Wi-Fi password: Sunny4829!\n' })).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';

import { override } from '../../../test/support/override.ts';
import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { bindTestServices } from '../../../test/support/service/test-deps.ts';

const withHeader = [
  'From: =?utf-8?q?J=C3=BCrgen?= <j@example.org>',
  'To: One <one@example.org>, two@example.org',
  'Cc: three@example.org',
  'Bcc: four@example.org',
  'Reply-To: Help <help@example.org>',
  'Message-ID: <abc@example.org>',
  'Date: Mon, 02 Nov 2026 10:00:00 +0100',
  'Subject: Hello',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/plain',
  '',
  'Hi.',
  '--b',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  '',
  'pdf',
  '--b--',
  '',
].join('\r\n');

describe('listHeads', () => {
  it('tells what the headers say, newest first', async () => {
    const { deps, lend, deliver, refresh } = await openServices();
    const { services } = bindTestServices(deps);
    const session = await lend();
    await deliver(withHeader, session);
    await deliver('no header at all', session);
    const heads = await services.listHeads(await refresh(session));
    expect(heads.map(({ listed }) => listed.id)).toEqual([2, 1]);
    expect(heads[0]).toMatchObject({ from: [], to: [], messageId: '', date: null, attachmentCount: 0 });
    expect(heads[1]).toMatchObject({
      from: [{ name: 'Jürgen', email: 'j@example.org' }],
      to: [
        { name: 'One', email: 'one@example.org' },
        { name: '', email: 'two@example.org' },
      ],
      cc: [{ name: '', email: 'three@example.org' }],
      bcc: [{ name: '', email: 'four@example.org' }],
      replyTo: [{ name: 'Help', email: 'help@example.org' }],
      messageId: 'abc@example.org',
      date: Date.UTC(2026, 10, 2, 9),
      attachmentCount: 1,
    });
    expect(heads[1]?.fields[0]).toEqual({ name: 'From', value: '=?utf-8?q?J=C3=BCrgen?= <j@example.org>' });
  });

  it('reads headers as the list does: past empty fields, and raw text in the charset of the text', async () => {
    const { deps, lend, deliver, refresh } = await openServices();
    const { services } = bindTestServices(deps);
    const session = await lend();
    const lines = [
      'From:',
      'From: \xc4\xfa\xb5\xc4 <a@b.test>',
      'Date:',
      'Date: Mon, 2 Nov 2026 10:00:00 +01:00',
      'Message-ID:',
      'Message-ID: <abc@example.org>',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=gbk',
      '',
      'x',
      '--b--',
    ];
    await deliver(Buffer.from(lines.join('\r\n'), 'latin1'), session);
    const [head] = await services.listHeads(await refresh(session));
    expect(head).toMatchObject({
      from: [{ name: '您的', email: 'a@b.test' }],
      messageId: 'abc@example.org',
      date: Date.UTC(2026, 10, 2, 9),
      listed: { senderName: '您的', senderEmail: 'a@b.test' },
    });
  });

  it('answers an unchanged list from memory, and reads only what is new of a changed one', async () => {
    const { deps, lend, deliver, refresh } = await openServices();
    let reads = 0;
    const mail = override(deps.mail, {
      readRaw: (...given) => {
        reads += 1;
        return deps.mail.readRaw(...given);
      },
    });
    const { services } = bindTestServices({ ...deps, mail });
    const session = await lend();
    for (const subject of ['one', 'two', 'three']) await deliver(plainMail(subject), session);
    const first = await services.listHeads(await refresh(session));
    const before = reads;
    expect(await services.listHeads(await refresh(session))).toBe(first);
    expect(reads).toBe(before);
    await deliver(plainMail('four'), session);
    expect(await services.listHeads(await refresh(session))).toHaveLength(4);
    expect(reads).toBe(before + 1);
  });

  it('keeps nothing of a deleted message, nor of an ended session', async () => {
    const { deps, lend, deliver, refresh } = await openServices();
    const { services } = bindTestServices(deps);
    const session = await lend();
    const id = await deliver(plainMail('gone'), session);
    await deliver(plainMail('kept'), session);
    await services.listHeads(await refresh(session));
    await services.deleteMail(session, id);
    expect(deps.heads.get(session.key, String(id))).toBeUndefined();
    expect(deps.heads.get(session.key, '2')).toBeDefined();
    await services.endSession(session);
    expect(deps.heads.get(session.key, '2')).toBeUndefined();
  });
});

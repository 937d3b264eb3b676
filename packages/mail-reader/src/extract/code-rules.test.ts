// The rules of code extraction, one behaviour at a time, through findCodes.
import { describe, expect, it } from 'vitest';
import { findCodes, type FoundCode } from './find-codes.ts';

interface Parts {
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string | null;
  readonly senderName?: string;
}

function find({ subject = '', text = '', html = null, senderName = 'Acme' }: Parts): FoundCode[] {
  return findCodes({ subject, text, html, senderName, senderEmail: 'no-reply@acme.example' });
}

function shown(parts: Parts): string | null {
  const best = find(parts)[0];
  return best && best.confidence >= 0.8 ? best.value : null;
}

describe('typed codes', () => {
  it.each([
    ['Your code is 123 456.', '123456'],
    ['Ikhowudi yakho yokuqinisekisa ngu-482913.', '482913'],
    ['Ikhodi yakho yokuqinisekisa yi-7391.', '7391'],
    ['Your code is 123-456.', '123456'],
    ['Your code is 12 34 56', '123456'],
    ['Your code is 1 2 3 4 5 6', '123456'],
    ['Your code is 7\u200b3\u200b9\u200b1\u200b0\u200b5.', '739105'],
    ['Your code: \u200f739105\u200f', '739105'],
    ['验证码：７３９１０５', '739105'],
    ['رمز التحقق: ٧٣٩١٠٥', '739105'],
    ['کد تایید: ۷۳۹۱۰۵', '739105'],
    ['सत्यापन कोड: ७३९१०५', '739105'],
    ['認証コードは「739105」です', '739105'],
    ['code:739105', '739105'],
    ['Your code is **739105**', '739105'],
    ['G-739105 is your Goggle verification code', '739105'],
    ['FB-73910 is your Facework code', '73910'],
    ['Your device code: WDJB-MJHT', 'WDJB-MJHT'],
    ['Your login code is XKCD-4821', 'XKCD-4821'],
    ['Guard code:\n\nF7K2Q\n', 'F7K2Q'],
    ['Your one-time code:\n\nAB12 CD34\n', 'AB12CD34'],
    ['Your one-time password is A7F2-9KQM-44XZ-81LP.', 'A7F2-9KQM-44XZ-81LP'],
    ['Use this one-time password:\n\nA7F2-9KQM-44XZ-81LP\n', 'A7F2-9KQM-44XZ-81LP'],
    ['Recovery key: A7F29-K0M1Z-44XZ8-81LPQ', 'A7F29-K0M1Z-44XZ8-81LPQ'],
    ['Login code: XKQDWF', 'XKQDWF'],
    ['Introduzca los siguientes caracteres: R4T9WB', 'R4T9WB'],
    ['Copy this login code:\n\nsnow-rabbit-4821\n', 'snow-rabbit-4821'],
    ['Paste this temporary login code:\n\nsparo-ninku-vebi-tolza\n', 'sparo-ninku-vebi-tolza'],
    ['Your code word is PURPLE-TIGER-42.', 'PURPLE-TIGER-42'],
    ['Your code is 482.913.', '482913'],
    ['Confirmation code: 440-917-23', '44091723'],
    ['Temporary password: Sifa.7720', 'Sifa.7720'],
    ['初始密码：Kn774120，登录后请修改', 'Kn774120'],
    ['Your code is 4️⃣8️⃣2️⃣9️⃣1️⃣3️⃣', '482913'],
    ['Your code is ④⑧②⑨①③', '482913'],
    ['Your code is ❹❽❷❾❶⓿', '482910'],
    ['Your code is ④ ⑧ ② ⑨ ⓪ ③', '482903'],
    ['លេខកូដផ្ទៀងផ្ទាត់៖ ៤៨២៩១៣', '482913'],
    ['သင့်ကုဒ်: ၄၈၂၉၁၃', '482913'],
    ['Код для входа\n\nВведите его в браузере.\n\nRNLW-XCXC\n', 'RNLW-XCXC'],
    ['Код для входа ниже. Введите его в браузере.\n\nRNLW-XCXC\n', 'RNLW-XCXC'],
    ['Your sign-in code is shown below. Enter it in the open window.\n\nRNLW-XCXC\n', 'RNLW-XCXC'],
    ['Your code is 482913.\n\nAcme Ltd, Nairobi 00100 · PIN P051842917X\n', '482913'],
    ['Issue AUTH-4829 is closed. Your verification code is 482913.', '482913'],
  ])('%j gives %j', (text, value) => {
    expect(shown({ text })).toBe(value);
  });

  it('cuts off a long prefix only when it is the sender’s', () => {
    expect(shown({ text: 'Your code is ACME-739105', senderName: 'Acme Inc' })).toBe('739105');
    expect(shown({ text: 'Your code is ZETA-7391', senderName: 'Acme Inc' })).toBe('ZETA-7391');
  });
});

describe('the position of the code', () => {
  it('finds it in the subject alone', () => {
    expect(shown({ subject: '739105 is your Acme verification code' })).toBe('739105');
  });

  it('finds it under a subject that names it', () => {
    expect(shown({ subject: 'Your login code', text: 'Hi,\n\n739105\n\nThe Acme team' })).toBe('739105');
  });

  it('joins one digit per table cell, paragraph or span', () => {
    const digits = [...'739105'];
    const cells = digits.map((d) => `<td><p>${d}</p></td>`).join('\n');
    const spans = digits.map((d) => `<span style="padding:4px">${d}</span>`).join('');
    expect(shown({ html: `<p>Your code</p><table><tr>${cells}</tr></table>` })).toBe('739105');
    expect(shown({ html: `<p>Your code</p><div>${spans}</div>` })).toBe('739105');
  });

  it('reads prominent text, link text and text cut by tags', () => {
    expect(shown({ html: '<p>Sign in</p><h1>739105</h1><p>Code</p>' })).toBe('739105');
    expect(shown({ html: '<p>Verification code: <a href="https://a.example/v">739105</a></p>' })).toBe(
      '739105',
    );
    expect(shown({ html: '<p>Code <b>739</b><b>105</b></p>' })).toBe('739105');
  });

  it('ignores style, script, head, comments and colours', () => {
    const html =
      '<head><title>code 111222</title></head><style>.code{color:#482913}</style><script>code=333444</script>' +
      '<!-- code 555666 --><p style="color:#777888">Your code will come by post.</p>';
    expect(find({ html })).toEqual([]);
  });

  it('is not misled by a word that begins or ends beside the cells', () => {
    const cells = [...'730518'].map((d) => `<td>${d}</td>`).join('');
    expect(
      shown({ subject: 'Đăng nhập', html: `<p>Nhập mã</p><table><tr>${cells}</tr></table><p>Yêu cầu</p>` }),
    ).toBe('730518');
  });

  it('finds a code that only a request to type it names', () => {
    expect(
      shown({ subject: 'New sign-in', text: 'Type these digits on your phone.\n\n7305\n\nTicket 48213' }),
    ).toBe('7305');
  });

  it.each([
    ['What you need to enter is 3491.', '3491'],
    ['58214 - to confirm your sign-in. Tell nobody.', '58214'],
    ['Mit 604193 bestätigst du die neue Adresse.', '604193'],
    ['Please type the six digits on the page we opened: 208834', '208834'],
    ['Acme: 22097743 for your new phone. Not you? Call us.', '22097743'],
  ])('finds a code without a keyword: %j', (text, value) => {
    expect(shown({ subject: 'Confirm your new phone', text })).toBe(value);
  });

  it.each(['17.07.2026', '17.07.26', 'Version 3.2.10'])(
    'does not take %s for an amount of money',
    (beside) => {
      const text = `Acme: 22097743 for your new phone. Not you? Call us. ${beside}.`;
      expect(shown({ subject: 'Confirm your new phone', text })).toBe('22097743');
    },
  );

  it('takes a number from the subject when the text says that it is there', () => {
    expect(shown({ subject: 'Acme: 204874', text: 'Enter the number in the subject line to sign in.' })).toBe(
      '204874',
    );
  });

  it('ignores the numbers in the footer', () => {
    const foot = 'Acme GmbH, Lindenstr. 48, 10969 Berlin, HRB 218441, Tel. 030 4418820';
    expect(shown({ subject: 'Anmeldung bestätigen', text: `Tippe 604193 in die App.\n\n${foot}` })).toBe(
      '604193',
    );
  });

  it('follows the verb past an amount and a card', () => {
    const text = 'Il codice per il pagamento di 49,90 EUR con carta *4471 presso SHOP è 739105';
    expect(shown({ text })).toBe('739105');
  });

  it('takes the new code when an old one is mentioned too', () => {
    expect(shown({ text: 'Your old code 118822 no longer works. Your new code is 640915.' })).toBe('640915');
  });

  it('distinguishes the code from an order number', () => {
    expect(shown({ text: 'Order number 48213377. Your verification code is 739105.' })).toBe('739105');
    expect(shown({ text: 'Verification code: 739105\nOrder number: 482133' })).toBe('739105');
  });
});

describe('not a code', () => {
  it.each([
    'Your code will arrive on 2025-03-12 or 12.03.2025 at 12:30.',
    'Your code saved you 482.913 points and Rp482.913 this year.',
    'Über 2500 Rezepte in 30 Minuten! PLZ eingeben und Markt finden.',
    'Network: ERC-20. Your code was sent by text message.',
    'Meter code 4418 8209 3177 4410 2281',
    'Your code covers IBAN DE8937040044...3000',
    'Order 48213377 has shipped. Tracking number 1Z999AA10123456784.',
    'Invoice no. 482133, total $4,821.00, due 2024.',
    'Call us at +1 800 555 0199 or (415) 555-0137.',
    'Card ending in 4471 was charged 482133 JPY.',
    'Your card •••• 4471 and your account ****8213.',
    'Use promo code WINTER25 at checkout and get 25% off.',
    '© 2024 Acme, 1600 Amphitheatre Parkway, Mountain View, CA 94043. If you did not request this code, ignore it.',
    'Code review: https://a.example/code/739105 and jo.739105@a.example',
    'Your booking reference is QX7R2K. Flight 4048, seat 14C.',
    'Meeting ID: 823 4567 8901 Passcode: 482913 Join meeting now',
    'The code expires in 1440 minutes.',
    'Notice 48213377, 4821.00 EUR due on 01.12.2025. Ward code 4410.',
    'We sent a verification code to your phone ending in 4821.',
    'Error code 500123 in build 20240514 (#48213).',
  ])('%j', (text) => {
    expect(shown({ text })).toBeNull();
  });

  it('finds recovery codes of a list, and shows none of them', () => {
    const list = ['48213377', '11820477', '90441820', '55102938'];
    const found = find({ text: `Your backup codes:\n${list.join('\n')}\n` });
    expect(found.map(({ value, kind }) => [value, kind])).toEqual(list.map((value) => [value, 'backup']));
    expect(found.every((code) => code.confidence < 0.8)).toBe(true);
  });
});

describe('a sentence that only refers back', () => {
  it.each([
    ['You asked for a one-time code at 08:14. It is K4TR-92MX.', 'K4TR-92MX'],
    ['Sie haben ein Einmalpasswort angefordert. Es lautet K4TR-92MX.', 'K4TR-92MX'],
    ['Ha richiesto un codice monouso alle 08:14. Eccolo: K4TR-92MX.', 'K4TR-92MX'],
    ['شما کد یکبار مصرف درخواست کردید. این است: K4TR-92MX.', 'K4TR-92MX'],
    ['ワンタイムコードが要求されました。こちらです：K4TR-92MX', 'K4TR-92MX'],
  ])('applies to the number before it: %j', (text, value) => {
    expect(shown({ text })).toBe(value);
  });

  it('says nothing of a code when the text continues', () => {
    expect(shown({ text: 'We sent a code by post. It is 4821 km away from the depot 2201.' })).toBeNull();
  });
});

describe('a number and its explanation', () => {
  it.each([
    ['5139: this is the number to type in the app to confirm your registration.', '5139'],
    ['5139: questo è il numero da digitare nell’app per confermare l’iscrizione.', '5139'],
    ['5139: das ist die Nummer, die du in der App eingeben musst, um die Anmeldung zu bestätigen.', '5139'],
    ['5139：これがアプリに入力する番号です。登録を確認できます。', '5139'],
  ])('finds it before the explanation: %j', (text, value) => {
    expect(shown({ text })).toBe(value);
  });

  it.each([
    'Type the code shown in the app, for example 123 456, when you sign in.',
    'Geben Sie den Code aus der App ein, z. B. 123 456, wenn Sie sich anmelden.',
    'Uygulamadaki kodu 123456 gibi girin, oturum açın.',
    '请输入应用中显示的验证码，例如 123 456。',
  ])('finds none when it is an example: %j', (text) => {
    expect(shown({ text })).toBeNull();
  });

  it('belongs to the announcement when a colon separates it from the code below', () => {
    const text = 'Met deze eenmalige toegangscode koppelt u uw account aan nummer 204118:\n\n    M3VX8R\n';
    expect(shown({ text })).toBe('M3VX8R');
  });
});

describe('characters that look like a code', () => {
  it.each([
    'Le code arrive entre 09h10 et 11h10.',
    'Your access code works daily: 8h30-12h00',
    'Security code, screen 1920x1080',
    'New code: SHA-256',
    'Code of the day 17NOV2026',
  ])('are a time, a size, a norm or a day: %j', (text) => {
    expect(shown({ text })).toBeNull();
  });

  it('are a name when the next cell has its value', () => {
    const row = '<tr><td>QX2048</td><td>93acb0471d6620e5</td></tr>';
    expect(shown({ html: `<p>Code coverage is up</p><table>${row}</table>` })).toBeNull();
  });

  it('are a device code in the form of RFC 8628 below a request to type', () => {
    const open = 'You started a sign-in. Open https://a.example/device and type';
    expect(shown({ text: `${open}\n\n    WDJB-MJHT\n\nApprove it there.` })).toBe('WDJB-MJHT');
    expect(shown({ text: `${open}\n\n    FREE-SHIP\n\nApprove it there.` })).toBeNull();
  });
});

describe('a mail about a journey', () => {
  const stay = 'Upcoming stay: Hotel Aurora, booking 4110982236, check-in 17 July.';

  it('has a code when its subject names one', () => {
    const text = `Log in with the PIN 6093.\n\n${stay}`;
    expect(shown({ subject: 'Your Acme login PIN', text })).toBe('6093');
  });

  it('has none when the subject names the journey', () => {
    const text = `Your passcode for the meeting: 6093.\n\n${stay}`;
    expect(shown({ subject: 'Hotel booking confirmed', text })).toBeNull();
  });
});

describe('a code of many groups', () => {
  it.each([
    'Your licence key: A7F2-9KQM-44XZ-81LP',
    'Serial number A7F2-9KQM-44XZ-81LP',
    'Gift card code: A7F2-9KQM-44XZ-81LP, worth $50',
    'Request ID: 3f2a9c4e-11b2-4c3d-9e8f-aa00bb11cc22. This is no code.',
  ])('is ignored without a keyword: %j', (text) => {
    expect(shown({ text })).toBeNull();
  });
});

describe('text between a keyword and its value', () => {
  it.each([
    ['Ecco il codice che hai richiesto: 482913', '482913'],
    ['Wir haben dir einen Code geschickt: 482913', '482913'],
    ['La password usa e getta per il contratto n. 77120 è 662190', '662190'],
    ['A senha temporária é: mB7!tq92', 'mB7!tq92'],
    ['Sandi sementara Anda: Wq73xLt9', 'Wq73xLt9'],
    ['Your new password is xK#mPq9Lz. Change it soon.', 'xK#mPq9Lz'],
    ['Temporary password\n\nxK#mPq9Lz\n', 'xK#mPq9Lz'],
    ['Usi la password temporanea per il primo accesso:\n\nRt7!kzP2\n', 'Rt7!kzP2'],
    ['Pour valider : 5839 2210\nNe communiquez ce code à personne.', '58392210'],
  ])('does not separate them: %j', (text, value) => {
    expect(shown({ text })).toBe(value);
  });

  it('does not turn halls and discounts into codes', () => {
    expect(shown({ text: 'Code of the hall: 4821. Row 17, bay 2201.' })).toBeNull();
    expect(shown({ text: 'Save 15% next time with code LAMP15.' })).toBeNull();
    expect(shown({ text: 'Your password is safe with us. Order 48213377 has shipped.' })).toBeNull();
  });
});

describe('the result', () => {
  it('has kinds: otp, pin, password', () => {
    expect(find({ text: 'Your verification code is 739105' })[0]?.kind).toBe('otp');
    expect(find({ text: 'Your PIN is 7391' })[0]?.kind).toBe('pin');
    expect(find({ text: 'Temporary password: xK9#mP2q' })[0]).toMatchObject({
      value: 'xK9#mP2q',
      kind: 'password',
    });
  });

  it('is ordered by confidence, names each value once and has a short context', () => {
    const found = find({
      subject: 'Code 739105',
      text: `${'x '.repeat(200)}Your code is 739105.${' y'.repeat(200)}`,
    });
    expect(found.map((code) => code.value)).toEqual(['739105']);
    expect(found[0]?.context.length).toBeLessThanOrEqual(120);
    expect(found[0]?.context).toContain('739105');
  });

  it.each(['', 'x'])('never splits a character of the context (%j)', (odd) => {
    const foxes = '🦊'.repeat(100);
    const [found] = find({ text: `${foxes}${odd} Your code is 739105. ${foxes}` });
    expect(found?.context).toContain('739105');
    expect(found?.context).not.toMatch(/[\ud800-\udfff]/u);
  });

  it('is empty for an empty message', () => {
    expect(find({})).toEqual([]);
  });
});

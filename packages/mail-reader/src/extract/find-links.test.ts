// Links: their purpose, their order, and which addresses count.
import { describe, expect, it } from 'vitest';
import { findLinks, type FoundLink } from './find-links.ts';

function links(html: string | null, text = '', subject = ''): FoundLink[] {
  return findLinks({ subject, text, html });
}

function kindOf(label: string, url = 'https://a.example/r/8f3a9c0d12e94b7785aa'): string | undefined {
  return links(`<a href="${url}">${label}</a>`)[0]?.kind;
}

describe('findLinks', () => {
  it.each([
    ['Verify email', 'verify'],
    ['E-Mail-Adresse bestätigen', 'verify'],
    ['Confirmer mon adresse', 'verify'],
    ['Activar cuenta', 'verify'],
    ['验证邮箱', 'verify'],
    ['メールアドレスを確認', 'verify'],
    ['Подтвердить адрес', 'verify'],
    ['Log in to Acme', 'login'],
    ['Jetzt anmelden', 'login'],
    ['로그인', 'login'],
    ['Reset password', 'reset'],
    ['Redefinir senha', 'reset'],
    ['Şifreni sıfırla', 'reset'],
    ['إعادة تعيين كلمة المرور', 'reset'],
    ['Accept invitation', 'invite'],
    ['Zaproszenie', 'invite'],
    ['Unsubscribe', 'unsubscribe'],
    ['Se désabonner', 'unsubscribe'],
    ['Hủy đăng ký', 'unsubscribe'],
    ['Read the blog', 'other'],
  ])('reads the purpose of %j as %s', (label, kind) => {
    expect(kindOf(label)).toBe(kind);
  });

  it('reads the purpose from the URL when the text says nothing', () => {
    expect(kindOf('Click here', 'https://a.example/verify?token=1')).toBe('verify');
    expect(kindOf('Click here', 'https://a.example/auth/reset-password?t=1')).toBe('reset');
    expect(kindOf('Click here', 'https://a.example/login/magic/abc')).toBe('login');
    expect(kindOf('here', 'https://a.example/list-unsubscribe?u=1')).toBe('unsubscribe');
  });

  it('reads the purpose from the words before a bare link with a secret', () => {
    const text = 'To confirm your address open\nhttps://a.example/x/8f3a9c0d12e94b7785aa\n';
    expect(links(null, text)[0]?.kind).toBe('verify');
  });

  it('puts verification, login and reset links first and unsubscribing last', () => {
    const html =
      '<a href="https://a.example/unsubscribe">Unsubscribe</a><a href="https://a.example/blog">Blog</a>' +
      '<a href="https://a.example/login">Log in</a><a href="https://a.example/v/1">Verify email</a>';
    expect(links(html).map((link) => link.kind)).toEqual(['verify', 'login', 'other', 'unsubscribe']);
  });

  it('decodes entities, keeps the host as written and drops duplicates', () => {
    const html =
      '<a href="https://a.example/b?x=1&amp;y=2">Go</a><a href="https://a.example/b?x=1&#38;y=2">Go on</a>';
    expect(links(html, 'See https://a.example/b?x=1&y=2.')).toEqual([
      { url: 'https://a.example/b?x=1&y=2', text: 'Go', kind: 'other', clickable: true },
    ]);
    expect(links('<a href="https://WWW.Example.COM/A?x=1&amp;y=2">Go</a>')[0]?.url).toBe(
      'https://WWW.Example.COM/A?x=1&y=2',
    );
  });

  it('lists every scheme that leads outside, web pages first, and says which can be clicked', () => {
    const html =
      '<a href="myapp://promo?id=1">Open</a><a href="mailto:a@b.example">b</a><a href="//a.example/c">c</a>' +
      '<a href="com.example.app:/x">d</a><a href=" https://a.example/ok ">e</a><a href="tel:+49 30 1">f</a>' +
      '<a href="sms:+4930?body=x">g</a><a href="intent://x#Intent;end">h</a>';
    expect(links(html).map(({ url, clickable }) => [url, clickable])).toEqual([
      ['https://a.example/c', true],
      ['https://a.example/ok', true],
      ['myapp://promo?id=1', false],
      ['mailto:a@b.example', true],
      ['com.example.app:/x', false],
      ['tel:+49 30 1', true],
      ['sms:+4930?body=x', true],
      ['intent://x#Intent;end', false],
    ]);
  });

  it('accepts nothing that acts within the browser or leads nowhere', () => {
    const hrefs =
      'javascript:alert(1) JaVa\tScript:alert(1) data:text/html,x vbscript:x file:///etc/passwd cid:a@b mid:a@b blob:x ' +
      'about:blank x-apple-data-detectors://1/0 # #top verify?t=1 /verify http:// https:///x // https: {{url}} C:\\a';
    const html = hrefs
      .split(' ')
      .map((href) => `<a href="${href}">x</a>`)
      .join('');
    expect(links(`${html}<a href="Note: read this">x</a><a href="">x</a>`)).toEqual([]);
  });

  it('reads the purpose of an app link, and prefers the web page', () => {
    const html = '<a href="myapp://verify?token=abc123&amp;tenantId=public">Verify</a>';
    const app = { url: 'myapp://verify?token=abc123&tenantId=public', text: 'Verify', kind: 'verify' };
    expect(links(html)).toEqual([{ ...app, clickable: false }]);
    expect(links(`${html}<a href="https://a.example/verify?t=1">Verify</a>`)[0]?.url).toMatch(/^https:/);
    expect(links('<p>Verify: <a href="tel:+4930">+4930</a></p>')[0]?.kind).toBe('other');
    expect(links('<a href="mailto:unsubscribe@a.example">Leave</a>')[0]?.kind).toBe('unsubscribe');
  });

  it('resolves relative links by the base element, keeping its host as written', () => {
    const page = (base: string): string =>
      `<html><head><!-- <base href="https://no.example/"> -->${base}</head><body>` +
      '<a href="verify?t=1">a</a><a href="/b">b</a><a href="?c">c</a><a href="#d">d</a></body></html>';
    const urls = (base: string): string[] => links(page(base)).map(({ url }) => url);
    expect(urls('<base target="_blank"><base href="https://A.example/app/x">')).toEqual([
      'https://A.example/app/verify?t=1',
      'https://A.example/b',
      'https://A.example/app/x?c',
    ]);
    expect(urls("<BASE HREF='//a.example'/>")[1]).toBe('https://a.example/b');
    expect(urls('<base href="javascript:x">')).toEqual([]);
  });

  it('lists image maps and forms with what names them, not as clickable', () => {
    const html =
      '<img usemap="#m"><map><area href="https://a.example/verify?t=1" alt="Verify"></map>' +
      '<form action="https://a.example/answer"><input type="submit" value="Send answer"></form>' +
      '<button formaction="https://a.example/no" title="No">No</button><form action="mailto:a@b.example"></form>';
    expect(links(html)).toEqual([
      { url: 'https://a.example/verify?t=1', text: 'Verify', kind: 'verify', clickable: false },
      { url: 'https://a.example/answer', text: 'Send answer', kind: 'other', clickable: false },
      { url: 'https://a.example/no', text: 'No', kind: 'other', clickable: false },
      { url: 'mailto:a@b.example', text: '', kind: 'other', clickable: false },
    ]);
  });

  it('finds the addresses of apps and people in text', () => {
    const text =
      'Open myapp://verify?token=abc123 in the app, or com.example.app:/v/1. Call tel:+4930123, write to ' +
      'mailto:help@a.example or see www.a.example/help. At 10:30://, note: a/b, c:/d and x:/y are none.';
    expect(links(null, text).map(({ url, clickable }) => [url, clickable])).toEqual([
      ['myapp://verify?token=abc123', false],
      ['http://www.a.example/help', true],
      ['com.example.app:/v/1', false],
      ['tel:+4930123', true],
      ['mailto:help@a.example', true],
    ]);
  });

  it.each([
    [
      '<https://a.example/verify?token=aaaaaaaaaaaaaaaaaaaa\nbbbbbbbbbb> thanks',
      'aaaaaaaaaaaaaaaaaaaabbbbbbbbbb',
    ],
    ['<URL:https://a.example/verify?token=aaaa\r\n  bbbb\r\n  cccc>', 'aaaabbbbcccc'],
    ['<https://a.example/verify?token=aaaa and\nmore>', 'aaaa'],
    ['<https://a.example/verify?token=aaaa\nNo end', 'aaaa'],
    [`https://a.example/verify?token=${'a'.repeat(44)}\nb1b1b1b1\n\nThanks`, `${'a'.repeat(44)}b1b1b1b1`],
    [`https://a.example/verify?token=${'a'.repeat(44)}\n&x=1\n`, `${'a'.repeat(44)}&x=1`],
    [`> See https://a.example/verify?token=${'a1'.repeat(22)}\nThanks`, 'a1'.repeat(22)],
    [`https://a.example/verify?token=${'a'.repeat(44)}\n482913\n`, 'a'.repeat(44)],
    [`https://a.example/verify?token=${'a'.repeat(44)}\nhttps://b.example/x=1\n`, 'a'.repeat(44)],
    ['https://a.example/verify?token=aaaa\nb1b1b1b1\n', 'aaaa'],
  ])('reads on in the next line only where an address was wrapped: %j', (text, token) => {
    expect(links(null, text)[0]?.url).toBe(`https://a.example/verify?token=${token}`);
  });

  it('excludes the punctuation of the sentence from a link in text', () => {
    const text =
      'See (https://a.example/a_(b)). Or <https://a.example/c>, “https://a.example/d”! 见https://a.example/e。';
    expect(links(null, text).map((link) => link.url)).toEqual([
      'https://a.example/a_(b)',
      'https://a.example/c',
      'https://a.example/d',
      'https://a.example/e',
    ]);
  });

  it('finds URLs in the text of HTML, but not in the text of a link that goes elsewhere', () => {
    const html =
      '<p>See https://a.example/b</p><a href="https://t.example/1">https://bank.example</a><a href="#x">top</a>';
    expect(links(html).map((link) => link.url)).toEqual(['https://t.example/1', 'https://a.example/b']);
  });

  it('takes a password in the query for a sign-in link', () => {
    expect(kindOf('here', 'https://a.example/loginwithemail?state=v2&password=sunny')).toBe('login');
  });

  it('returns at most 200', () => {
    const html = Array.from({ length: 500 }, (_, i) => `<a href="https://a.example/${i}">x</a>`).join('');
    expect(links(html)).toHaveLength(200);
  });
});

describe('a link that follows a parcel', () => {
  const url = 'https://t.shop.example/c/x7Kq29Lm4Vb81Zr5';
  it.each([
    ['Tu pedido', 'Accede a tu cuenta para ver el pedido. Confirma la dirección.', 'Track & trace'],
    ['Tu pedido', 'Inicia sesión si algo falla.', 'Seguir mi envío'],
    ['உங்கள் பார்சல்', 'உங்கள் கணக்கில் உள்நுழையலாம்.', 'Track & trace'],
    ['உங்கள் பார்சல்', 'உள்நுழைக.', 'பார்சலைக் கண்காணிக்க'],
    ['Ihre Sendung', 'Melden Sie sich an, wenn etwas fehlt.', 'Sendung verfolgen'],
    ['Votre colis', 'Connectez-vous à votre compte.', 'Suivre mon colis'],
    ['Twoja paczka', 'Zaloguj się na konto.', 'Śledź paczkę'],
    ['Ваша посылка', 'Войдите в аккаунт.', 'Отследить посылку'],
    ['Kargonuz', 'Hesabınıza giriş yapın.', 'Kargoyu takip et'],
    ['شحنتك', 'سجل الدخول إلى حسابك.', 'تتبع الشحنة'],
    ['お荷物', 'ログインしてください。', '荷物を追跡する'],
    ['您的包裹', '请登录您的账户。', '查看物流'],
  ])('is no login: %s, %s %s', (subject, sentence, label) => {
    const html = `<p>${sentence}</p><a href="${url}">${label}</a>`;
    expect(findLinks({ subject, text: '', html })[0]).toMatchObject({ url, kind: 'other' });
  });
});

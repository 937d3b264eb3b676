// Links: their purpose, their order, and that only http and https are accepted.
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
      { url: 'https://a.example/b?x=1&y=2', text: 'Go', kind: 'other' },
    ]);
    expect(links('<a href="https://WWW.Example.COM/A?x=1&amp;y=2">Go</a>')[0]?.url).toBe(
      'https://WWW.Example.COM/A?x=1&y=2',
    );
  });

  it('accepts only http and https', () => {
    const html =
      '<a href="javascript:alert(1)">a</a><a href="mailto:a@b.example">b</a><a href="//a.example">c</a>' +
      '<a href="data:text/html,x">d</a><a href=" https://a.example/ok ">e</a><a href="ftp://a.example">f</a>';
    expect(links(html).map((link) => link.url)).toEqual(['https://a.example/ok']);
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

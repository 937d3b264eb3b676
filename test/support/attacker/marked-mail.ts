// Mail whose every part carries a text of its own, to be searched for. Used by the tests of what the disk and the
// memory reveal.

export interface MarkedMail {
  readonly raw: string;
  /** None of them is in an address. */
  readonly markers: readonly string[];
}

/** Begins with `From: Att`, which an attacker who guesses a key would recognise. */
export function createMarkedMail(name: string): MarkedMail {
  const markers = ['subject', 'sender', 'body', 'html', 'file', 'inside'].map(
    (part) => `Marker${part}${name}Q`,
  );
  const [subject, sender, body, html, file, inside] = markers;
  const sum = [...name].reduce((value, char) => (value * 31 + char.charCodeAt(0)) % 9000, 7);
  // Letters, since a dump is written in hex, where eight digits are found by chance.
  const code = `QZ84-${sum + 1000}`;
  const raw = [
    `From: Att ${sender} <${sender}@marked.example>`,
    `Subject: ${subject} and your code ${code}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="=b"',
    '',
    '--=b',
    'Content-Type: text/plain; charset=utf-8',
    '',
    `${body} says that your verification code is ${code}.`,
    '--=b',
    'Content-Type: text/html; charset=utf-8',
    '',
    `<p>${html}: your verification code is <b>${code}</b></p>`,
    '--=b',
    `Content-Type: application/octet-stream; name="${file}.bin"`,
    `Content-Disposition: attachment; filename="${file}.bin"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(`${inside} in the attached file`).toString('base64'),
    '--=b--',
    '',
  ].join('\r\n');
  return { raw, markers: [...markers, code] };
}

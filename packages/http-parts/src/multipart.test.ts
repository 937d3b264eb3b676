import { expect, it } from 'vitest';

import { filePart, parseMultipartFields } from './multipart.ts';

const type = 'multipart/form-data; boundary=AaB03x';

function parse(lines: readonly string[], contentType = type) {
  return parseMultipartFields(Buffer.from(lines.join('\r\n')), contentType);
}

function field(name: string, value: string): string[] {
  return ['--AaB03x', `Content-Disposition: form-data; name="${name}"`, '', value];
}

it('reads fields in order, whatever surrounds them', () => {
  const lines = [
    'a preamble',
    ...field('a', '1'),
    ...field('b', 'ä\r\n--AaB\r\n'),
    ...field('c', ''),
    '--AaB03x--',
    'x',
  ];
  expect(parse(lines)).toEqual([
    ['a', '1'],
    ['b', 'ä\r\n--AaB\r\n'],
    ['c', ''],
  ]);
});

it('reads what fetch and FormData send', async () => {
  const form = new FormData();
  form.append('id', '5');
  form.append('id', '6');
  form.append('a"b', 'x');
  form.append('upload', new Blob(['bytes']), 'x.txt');
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  expect(parseMultipartFields(body, request.headers.get('content-type')!)).toEqual([
    ['id', '5'],
    ['id', '6'],
    ['a%22b', 'x'],
    ['upload', filePart],
  ]);
});

it('reads quoted boundaries, unquoted names, other header fields and blanks after a boundary', () => {
  const lines = [
    '--a b  ',
    'content-type: text/plain',
    'CONTENT-DISPOSITION:form-data;name=id',
    '',
    '1',
    '--a b--',
  ];
  expect(parse(lines, 'multipart/form-data; charset=utf-8; Boundary="a b"')).toEqual([['id', '1']]);
});

it('gives no fields for a form that only closes', () => {
  expect(parse(['--AaB03x--', ''])).toEqual([]);
});

it.each<[string, string[], string?]>([
  ['no boundary parameter', field('a', '1'), 'multipart/form-data'],
  ['another boundary', field('a', '1'), 'multipart/form-data; boundary=x'],
  ['no closing boundary', field('a', '1')],
  ['a part without name', ['--AaB03x', 'Content-Disposition: form-data', '', '1', '--AaB03x--']],
  ['a part without disposition', ['--AaB03x', 'X: y', '', '1', '--AaB03x--']],
  ['a part without header', ['--AaB03x', '1', '--AaB03x--']],
  ['an empty part', ['--AaB03x', '--AaB03x--']],
  ['garbage after a boundary', ['--AaB03xyz', '', '--AaB03x--']],
  ['33 parts', [...Array.from({ length: 33 }, () => field('a', '1')).flat(), '--AaB03x--']],
  ['a huge part header', ['--AaB03x', `X: ${'y'.repeat(5000)}`, '', '1', '--AaB03x--']],
])('refuses %s', (_what, lines, contentType) => {
  expect(() => parse(lines, contentType)).toThrow(expect.objectContaining({ code: 'malformed_body' }));
});

it('refuses a value that is not UTF-8', () => {
  const body = Buffer.concat([
    Buffer.from(field('a', '').join('\r\n')),
    Buffer.from([0xff]),
    Buffer.from('\r\n--AaB03x--'),
  ]);
  expect(() => parseMultipartFields(body, type)).toThrow(expect.objectContaining({ code: 'malformed_body' }));
});

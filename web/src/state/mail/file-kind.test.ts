import { expect, it } from 'vitest';

import { toFileKind } from './file-kind.ts';

it.each([
  ['tickets.pdf', 'application/pdf', 'PDF'],
  ['plan.final.DOCX', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'DOCX'],
  ['', 'image/png', 'PNG'],
  ['', 'application/pdf', 'PDF'],
  ['no ending', 'application/octet-stream', ''],
  ['.', 'multipart/mixed; x', ''],
])('says of %j as %s: %j', (filename, type, kind) => {
  expect(toFileKind(filename, type)).toBe(kind);
});

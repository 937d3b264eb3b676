// Mails of one template as the service gave them, with other codes, dates, ids and tokens: they are masked alike.
// test/system/python-types.test.ts has the client for Python make the same of them.

import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { maskMail } from '../clients/typescript/src/mask-mail.ts';
import type { Message } from '../clients/typescript/src/models.ts';
import { toModel } from '../clients/typescript/src/to-model.ts';

interface MaskedTemplate {
  readonly name: string;
  readonly mails: readonly object[];
  /** Lines. */
  readonly masked: readonly string[];
}

const templates = JSON.parse(readFileSync('test/fixtures/masks/mails.json', 'utf8')) as MaskedTemplate[];

it.each(templates)('masks $name', ({ mails, masked }) => {
  for (const mail of mails) expect(maskMail(toModel(mail) as Message).split('\n')).toEqual(masked);
});

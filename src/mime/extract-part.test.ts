// Attachments' bytes by the ids that the parsed message lists.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { extractPart } from './extract-part.ts';
import { parseMessage } from './parsed.ts';

const folder = new URL('../../test/fixtures/eml/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, folder));
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.eml'));

describe('extractPart', () => {
  it('gives the decoded bytes of an attachment', () => {
    const part = extractPart(read('nested-attachments.eml'), '2');
    expect(part).toMatchObject({ filename: 'report.pdf', contentType: 'application/pdf' });
    expect(Buffer.from(part?.bytes ?? []).toString()).toBe('%PDF-1.7 not really');
  });

  it('gives an enclosed message as it came', () => {
    const part = extractPart(read('forwarded-message.eml'), '2');
    expect(Buffer.from(part?.bytes ?? []).toString()).toMatch(/^From: x@example\.org\r\n[^]*--inner--$/);
  });

  it.each(['', '1', '2.1', '9', '../1', '__proto__'])('knows no part %j', (id) => {
    expect(extractPart(read('nested-attachments.eml'), id)).toBeUndefined();
  });

  it.each(fixtures)('gives as many bytes as %s lists', (name) => {
    const raw = read(name);
    const { attachments } = parseMessage(raw);
    const sizes = attachments.map(({ id }) => extractPart(raw, id)?.bytes.byteLength);
    expect(sizes).toEqual(attachments.map(({ size }) => size));
  });
});

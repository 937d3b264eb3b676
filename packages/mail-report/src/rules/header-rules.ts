// Rules about the header: fields that every message must have, and those that it may have only once (RFC 5322 §3.6).

import { inHeader, type Rated } from '../findings.ts';
import { type MessageSubject, valuesOf } from './subject-of-rules.ts';

const once = ['Subject', 'Date', 'Message-ID', 'To', 'Cc', 'Reply-To', 'Sender', 'In-Reply-To', 'References'];

const noSubject: Rated = {
  rule: 'header/subject',
  severity: 'warning',
  advice: 'Give it a subject that says why it was sent.',
};
const longSubject: Rated = {
  rule: 'header/long-subject',
  severity: 'info',
  advice: 'Put what matters into the first 40 characters.',
};
const noDate: Rated = {
  rule: 'header/date',
  severity: 'warning',
  advice: 'Write a Date field as RFC 5322 requires; mail libraries do.',
};
const noMessageId: Rated = {
  rule: 'header/message-id',
  severity: 'warning',
  advice: 'Write a Message-ID with your own domain; mail libraries do.',
};
const repeated: Rated = {
  rule: 'header/repeated',
  severity: 'error',
  advice: 'Write the field once: Gmail refuses mail that has it twice.',
};
const longSubjectChars = 78;

export function checkHeader({ input, findings }: MessageSubject): void {
  if (input.subject.trim() === '') {
    findings.add(noSubject, 'The message has no subject.', inHeader('Subject'));
  }
  const length = [...input.subject].length;
  if (length > longSubjectChars) {
    findings.add(
      longSubject,
      `The subject has ${length} characters; lists show 40 to 70.`,
      inHeader('Subject', input.subject),
    );
  }
  if (valuesOf(input, 'date').length === 0) {
    findings.add(noDate, 'The message has no Date.', inHeader('Date'));
  }
  if (valuesOf(input, 'message-id').length === 0) {
    findings.add(noMessageId, 'The message has no Message-ID.', inHeader('Message-ID'));
  }
  for (const name of once) {
    const values = valuesOf(input, name.toLowerCase());
    if (values.length < 2) continue;
    findings.add(repeated, `The message has ${values.length} ${name} fields.`, inHeader(name, values[1]));
  }
}

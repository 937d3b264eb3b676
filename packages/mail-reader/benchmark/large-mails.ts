// Mails of 100 KB that are dense with what the finder looks at: codes and their words in many languages, figures, logs,
// tables. For compare-time.mjs.
import { makeCorpus } from './corpus/corpus.ts';

export interface TimedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
  readonly senderName: string;
  readonly senderEmail: string;
}

const size = 100 * 1024;
const mailsPerKind = 25;
const sender = { senderName: 'Nimbus', senderEmail: 'no-reply@nimbus.example' };

const lines: Readonly<Record<string, (i: number) => string>> = {
  log: (i) =>
    `2026-11-14 02:${i % 60}:03 host${i % 9} app[${48_291 + i}]: code ${482_913 + 17 * i} verified for ${1000 + i}\n`,
  table: (i) =>
    `<tr><td>Order number</td><td>${48_291_735 + 31 * i}</td><td>Total</td><td>${i % 97},90 €</td></tr>\n`,
  figures: (i) => `<p style="font-size:28px">${4_829 + 13 * i}</p><p>Visitors this week</p>\n`,
  prose: (i) =>
    `We sent the report of week ${i % 53} to everyone who asked for it, please confirm before Friday.\n`,
};

/** Mail as it comes, and 100 KB of each kind. */
export function makeTimedMails(): Record<'ordinary' | 'large', TimedMail[]> {
  const samples = makeCorpus().filter(({ isSample }) => isSample);
  const joined = (part: (at: number) => string, from: number): string => {
    let text = '';
    for (let at = from; text.length < size; at++) text += part(at);
    return text.slice(0, size);
  };
  const sampleAt = (at: number): TimedMail =>
    samples[at % samples.length] ?? { subject: '', text: '', html: null, ...sender };
  const large = Array.from({ length: mailsPerKind }, (_, i): TimedMail[] => {
    const subject = sampleAt(i).subject;
    const from = i * 37;
    return [
      { subject, text: joined((at) => `${sampleAt(at).text}\n`, from), html: null, ...sender },
      { subject, text: '', html: joined((at) => sampleAt(at).html ?? '', from), ...sender },
      ...Object.entries(lines).map(([kind, line]) => {
        const body = joined(line, from);
        const isHtml = kind === 'table' || kind === 'figures';
        return { subject, text: isHtml ? '' : body, html: isHtml ? body : null, ...sender };
      }),
    ];
  }).flat();
  return { ordinary: samples.slice(0, 600), large };
}

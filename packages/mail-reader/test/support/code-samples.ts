// The labelled mail of test/fixtures/codes and codes-blind, one per line. For the tests of src/extract.
import { readFileSync } from 'node:fs';

import { codeConfidence, findCodes } from '../../src/extract/find-codes.ts';

export interface CodeSample {
  readonly id: string;
  readonly template: string;
  readonly split: 'tune' | 'held';
  readonly subject: string;
  readonly senderName: string;
  readonly senderEmail: string;
  readonly text: string;
  readonly html: string | null;
  readonly expect: string | null;
  readonly links?: Record<string, string>;
}

export function readCodeSamples(file: URL): CodeSample[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as CodeSample);
}

/** Returns the code a reader would see, or null. */
export function findShownCode(sample: CodeSample): string | null {
  const best = findCodes(sample)[0];
  return best && best.confidence >= codeConfidence ? best.value : null;
}

// Writes the features of every value of every mail of the corpus, for train.py: a table of numbers, and what each row
// is.
import { mkdirSync, writeFileSync } from 'node:fs';
import { isRight, makeCorpus } from '../benchmark/corpus/corpus.ts';
import { describeCandidates } from '../src/extract/find-codes.ts';
import { featureNames } from '../src/extract/model/features.ts';
import { hashInputs } from './hash-inputs.mjs';

interface Row {
  readonly mail: string;
  readonly split: string;
  /** Rows of one template, or of one language, are held back together. */
  readonly template: string;
  readonly language: string;
  readonly isCode: number;
  /** Written in the style of a real service, not made by the generator. */
  readonly isSample: boolean;
}

/** Writes both files to a folder; returns the table. */
export function dumpExamples(folder: string): Float64Array {
  const values: number[] = [];
  const rows: Row[] = [];
  for (const mail of makeCorpus()) {
    const { id, split, template, language, isSample } = mail;
    for (const { value, features } of describeCandidates(mail)) {
      values.push(...features);
      rows.push({ mail: id, split, template, language, isCode: isRight(mail, value) ? 1 : 0, isSample });
    }
  }
  const table = Float64Array.from(values);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/examples.f64`, table);
  writeFileSync(
    `${folder}/examples.json`,
    JSON.stringify({ names: featureNames, inputs: hashInputs(), rows }),
  );
  return table;
}

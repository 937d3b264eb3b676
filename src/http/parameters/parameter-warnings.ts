// Tells a caller of parameters that an operation ignores but that were probably meant for it: misspelt ones, and those
// of other operations. Never an error, since clients may send fields of their own.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { findNearName } from '#values/near-name';
import type { Operation } from '../operation.ts';
import { allParameters } from './all-parameters.ts';

/** Returns a sentence for each unknown name that is probably a mistake. */
export type DescribeUnknown = (operation: Operation, unknown: Iterable<string>) => readonly string[];

/** Letters by which a misspelt name may differ. */
const editsMax = 2;

export function createDescribeUnknown(operations: readonly Operation[]): DescribeUnknown {
  const owners = new Map<string, string[]>();
  for (const operation of operations) {
    const path = operation.path.slice(1);
    for (const name of Object.keys(allParameters(operation))) {
      owners.set(name, [...(owners.get(name) ?? []), path]);
    }
  }
  return (operation, unknown) => {
    const known = Object.keys(allParameters(operation));
    const path = operation.path.slice(1);
    return Array.from(unknown).flatMap((name) => {
      const meant = findMeant(name, known);
      const [owner] = owners.get(name) ?? [];
      if (meant !== undefined) return [`${path} has no parameter \`${name}\`; did you mean \`${meant}\`?`];
      return owner === undefined ? [] : [`${path} has no parameter \`${name}\`, which belongs to ${owner}.`];
    });
  };
}

/** By its letters; else one that it begins, as `domain` begins `domain_id`. Case and hyphens are no difference. */
function findMeant(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replaceAll('-', '_');
  // A name that has no letter in common with another resembles it in nothing.
  const near = findNearName(plain, known, Math.min(editsMax, plain.length - 1));
  return near ?? known.find((one) => one.startsWith(`${plain}_`));
}

/** Adds the warnings as the last member of a JSON answer that ends with a line feed. */
export function withWarnings(answer: Answer, warnings: readonly string[]): Answer {
  const { body } = answer;
  const isWholeBody = typeof body === 'string' || Buffer.isBuffer(body);
  if (warnings.length === 0 || !isWholeBody) return answer;
  const added = `,"warnings":${stringifyWellFormed(warnings)}}\n`;
  if (typeof body === 'string') return { ...answer, body: body.slice(0, -2) + added };
  return { ...answer, body: Buffer.concat([body.subarray(0, -2), Buffer.from(added)]) };
}

// A random local part: words, short where no stranger could profit from a guess (docs/adr/0025-names-one-can-say.md), or
// characters.

import { randomBytes, randomInt } from 'node:crypto';

import { drawName } from '#names/draw-name';
import { randomLocalPart } from '../../domain/addresses/prefix.ts';
import { isSpecialDomain } from '../../domain/addresses/special-domain.ts';

/** Then short names are taken to run low at the domain. */
const shortTries = 2;

interface Manner {
  /** Words when undefined. */
  readonly style: 'words' | 'random' | undefined;
  readonly isKeyRequired: boolean;
}

/** @param attempt how many were taken before */
export function drawLocalPart({ style, isKeyRequired }: Manner, domain: string, attempt: number): string {
  if (style === 'random') return randomLocalPart(randomBytes);
  const isShort = attempt < shortTries && (isKeyRequired || isSpecialDomain(domain));
  return drawName(!isShort, (bound) => randomInt(bound));
}

// The parts that templates make mails from: a seeded generator of numbers, and codes, dates, amounts, names and addresses in the
// forms that real mail has. The same seed always gives the same mail.
import type { Phrases } from './facts.ts';

export interface Kit {
  readonly phrases: Phrases;
  readonly brand: string;
  readonly person: string;
  /** A number from 0 up to, but not including, `limit`. */
  readonly below: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  /** Digits, without a leading zero. */
  readonly digits: (count: number) => string;
  readonly signs: (count: number, alphabet?: string) => string;
}

const syllables =
  'ba ca da fe ga ho ju ka lo ma ne or pi ra so tu va we xi zo lum nor vik tel mer san tal ber'.split(' ');
const people = 'Alex Mara Noor Jonas Lea Tariq Aiko Ines Pavel Wanjiru Minh Sofia Deniz Ravi Olu Katya'.split(
  ' ',
);
const plainSigns = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const consonants = 'BCDFGHJKLMNPQRSTVWXZ';
const currencies = ['€', '$', '£', 'kr', 'zł', '₺', '₴', '₹', 'USD', 'EUR', 'Ft', 'лв', 'R$', '¥', 'CHF'];

/** Marsaglia's xorshift, mixed first so that neighbouring seeds differ. */
function createRandom(seed: number): () => number {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0 || 1;
  for (let i = 0; i < 8; i++) step();
  function step(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  }
  return () => step() / 0x1_0000_0000;
}

export function createKit(phrases: Phrases, seed: number): Kit {
  const random = createRandom(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
  const signs = (count: number, alphabet = plainSigns): string =>
    Array.from({ length: count }, () => pick([...alphabet])).join('');
  const digits = (count: number): string => signs(1, '123456789') + signs(count - 1, '0123456789');
  const word = (): string => pick(syllables) + pick(syllables) + (random() < 0.4 ? pick(syllables) : '');
  const name = word();
  const brand =
    random() < 0.15
      ? name.toUpperCase()
      : `${name.charAt(0).toUpperCase()}${name.slice(1)}${pick(['', '', ' Bank', 'ly', ' App', ' Go'])}`;
  return {
    phrases,
    brand,
    person: pick(people),
    below,
    chance: (share) => random() < share,
    pick,
    digits,
    signs,
  };
}

/** The text shown and the value expected of a one-time code. */
export function makeCode({ below, digits, signs, chance, pick }: Kit): { shown: string; value: string } {
  const plain = (value: string): { shown: string; value: string } => ({ shown: value, value });
  const draw = below(100);
  if (draw < 58) {
    const value = digitsOrZero({ below, signs, digits }, 6);
    const form = below(12);
    if (form === 0) return { shown: `${value.slice(0, 3)} ${value.slice(3)}`, value };
    if (form === 1) return { shown: `${value.slice(0, 3)}-${value.slice(3)}`, value };
    return plain(value);
  }
  if (draw < 70) return plain(digits(4));
  if (draw < 75) return plain(digits(5));
  if (draw < 78) return plain(digits(7));
  if (draw < 86) {
    const value = digits(8);
    return chance(0.25) ? { shown: `${value.slice(0, 4)} ${value.slice(4)}`, value } : plain(value);
  }
  if (draw < 94) return plain(mixed(signs, pick([5, 6, 6, 8])));
  if (draw < 96) return plain(signs(6, consonants));
  if (draw < 97) return plain(Array.from({ length: 4 }, () => mixed(signs, 5)).join('-'));
  if (draw < 98) return plain(`${mixed(signs, 4)}-${mixed(signs, 4)}`);
  return plain(`${signs(4, consonants)}-${signs(4, consonants)}`);
}

function digitsOrZero(
  { below, signs, digits }: Pick<Kit, 'below' | 'signs' | 'digits'>,
  count: number,
): string {
  return below(10) === 0 ? `0${signs(count - 1, '123456789')}` : digits(count);
}

/** Letters and digits, at least one of each. */
export function mixed(signs: Kit['signs'], count: number): string {
  for (;;) {
    const made = signs(count);
    if (/\d/.test(made) && /[A-Z]/.test(made)) return made;
  }
}

/** A number that looks like a code but is none: most often four to eight digits. */
export function otherNumber({ pick, digits, chance }: Kit): string {
  if (chance(0.04)) return pick(['2026', '1000', '50000', '2500']);
  return digits(pick([4, 4, 5, 5, 6, 6, 6, 7, 8]));
}

export function money({ pick, digits, below }: Kit): string {
  const whole = digits(pick([2, 2, 3, 4]));
  const cents = String(below(100)).padStart(2, '0');
  const currency = pick(currencies);
  return pick([
    `${whole},${cents} ${currency}`,
    `${currency}${whole}.${cents}`,
    `${whole}.${cents} ${currency}`,
  ]);
}

export function date({ pick, below }: Kit): string {
  const day = String(1 + below(28)).padStart(2, '0');
  const month = String(1 + below(12)).padStart(2, '0');
  const time = `${String(below(24)).padStart(2, '0')}:${String(below(60)).padStart(2, '0')}`;
  return pick([
    `${day}.${month}.2026`,
    `2026-${month}-${day}`,
    `${day}/${month}/2026 ${time}`,
    `${day}.${month}.2026, ${time}`,
  ]);
}

/** The sender's particulars, full of numbers. */
export function footerLines(kit: Kit): string[] {
  const { phrases, brand, pick, digits, chance } = kit;
  const [tax = '', phone = '', street = '', city = ''] = phrases.footer;
  const postcode = pick([digits(4), digits(5), digits(6), `${digits(3)} ${digits(2)}`]);
  const place = chance(0.5) ? `${postcode} ${city}` : `${city} ${postcode}`;
  const register = pick([digits(8), digits(9), digits(10), `${pick(['P', 'B', 'DE'])}${digits(9)}`]);
  const call = pick([
    `0${digits(2)} ${digits(3)} ${digits(4)}`,
    `1${digits(3)} ${digits(4)}`,
    `+${digits(2)} ${digits(3)} ${digits(6)}`,
  ]);
  const parts = [
    `${brand}, ${street}`,
    place,
    ...(chance(0.7) ? [`${tax} ${register}`] : []),
    ...(chance(0.6) ? [`${phone} ${call}`] : []),
  ];
  const joined = chance(0.7) ? [parts.join(pick([' · ', ', ', ' | ', ' — ']))] : parts;
  return chance(0.5) ? [...joined, `© 2026 ${brand}`] : joined;
}

// The form of a draft, and the parts that the templates of mails share.
import type { Block } from './blocks.ts';
import { footerLines, type Kit, money } from './kit.ts';

export interface Draft {
  readonly subject: string;
  readonly blocks: readonly Block[];
  readonly expect: string | null;
  /** Values that may be shown too. */
  readonly also?: readonly string[];
}

export type Template = (kit: Kit) => Draft;

export const para = (text: string): Block => ({ kind: 'para', text });
export const footer = (kit: Kit): Block[] =>
  kit.chance(0.6) ? [{ kind: 'footer', lines: footerLines(kit) }] : [];

/** Fills `{c}`, `{n}`, `{m}`, `{e}`, `{d}`, `{p}` and `{k}`. */
export function fill(text: string, words: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w)\}/g, (whole, key: string) => words[key] ?? whole);
}

export const greeting = (kit: Kit): Block[] => (kit.chance(0.4) ? [para(`${kit.person},`)] : []);

export const none = (subject: string, blocks: readonly Block[]): Draft => ({ subject, blocks, expect: null });
export const order = (kit: Kit, which: number): string => kit.phrases.orders[which] ?? '';
export const bare = (text: string): string => text.replace(/[.।。]$/, '');

export const purpose = (kit: Kit): string => kit.pick(kit.phrases.subjects);

export function cardNumber(kit: Kit): string {
  return fill(kit.pick(kit.phrases.payment), { m: money(kit), e: kit.digits(4) });
}

/** Half of them in the mail's language. */
export function otherCode({ phrases: { otherCodes }, pick, chance }: Kit): string {
  return chance(0.5) ? pick(otherCodes.slice(0, 5)) : pick(otherCodes);
}

export const link = (kit: Kit): Block => ({ kind: 'button', text: kit.pick(kit.phrases.buttons) });

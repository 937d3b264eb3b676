import { describe, expect, it } from 'vitest';
import { createWordMatcher } from './word-matcher.ts';
import { tabulateWords } from './word-table.ts';

function hits(words: string[], text: string): string[] {
  const list = words.map((word) => ({
    text: word.replaceAll('*', ''),
    openStart: word.startsWith('*'),
    openEnd: word.endsWith('*'),
    tag: word,
  }));
  return createWordMatcher(tabulateWords(list))
    .find(text, 100)
    .map((hit) => `${hit.tag}@${hit.start}`);
}

describe('createWordMatcher', () => {
  it('finds whole words only, unless the word is open', () => {
    expect(hits(['pin'], 'pin spin pinned pin')).toEqual(['pin@0', 'pin@16']);
    expect(hits(['*code*', 'kod*'], 'zugangscodes kodunuz')).toEqual(['*code*@7', 'kod*@13']);
  });

  it('finds words inside and across each other', () => {
    expect(hits(['one time', 'time code'], 'one time code')).toEqual(['one time@0', 'time code@4']);
  });

  it('ignores word boundaries in scripts without them, and at digits', () => {
    expect(hits(['验证码', '코드'], '您的验证码是 코드는')).toEqual(['验证码@2', '코드@7']);
    expect(hits(['code'], 'code123')).toEqual(['code@0']);
  });

  it('allows the particles of Arabic and no other letters', () => {
    expect(hits(['رمز'], 'والرمز رمزک ترمزه')).toEqual(['رمز@3', 'رمز@7']);
  });

  it('finds what starts in a stretch, to its own end', () => {
    const table = tabulateWords([{ text: 'code', openStart: true, openEnd: true, tag: 1 }]);
    const found = createWordMatcher(table).findIn('code code code', 100, { start: 1, end: 6 });
    expect(found).toEqual([{ start: 5, end: 9, tag: 1 }]);
  });

  it('stops at the limit', () => {
    const matcher = createWordMatcher(tabulateWords([{ text: 'a', openStart: true, openEnd: true, tag: 1 }]));
    expect(matcher.find('aaaa', 2)).toHaveLength(2);
  });
});

// The table of trees and what reads it: probabilities, determinism, and what the model is for.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeCandidates, findCodes } from '../find-codes.ts';
import { featureNames } from './features.ts';
import { confidences } from './tree-table.ts';
import { judgeValue } from './trees.ts';

const sender = { senderName: 'Nimbus', senderEmail: 'no-reply@nimbus.example' };

function shown(mail: { subject?: string; text?: string; html?: string }): string | null {
  const [best] = findCodes({ subject: '', text: '', html: null, ...sender, ...mail });
  return best && best.confidence >= 0.8 ? best.value : null;
}

describe('the table of trees', () => {
  it('has at most 60 kB and a confidence that never falls', () => {
    expect(readFileSync(new URL('tree-table.ts', import.meta.url)).length).toBeLessThanOrEqual(60 * 1024);
    for (const [i, [from, share]] of confidences.entries()) {
      expect(share).toBeGreaterThanOrEqual(confidences[i - 1]?.[1] ?? 0);
      expect(from).toBeGreaterThan(confidences[i - 1]?.[0] ?? -Infinity);
    }
  });

  it('gives a probability in hundredths for any features', () => {
    for (const value of [-1e9, -1, 0, 0.05, 1, 400, 1e9, Number.NaN]) {
      const share = judgeValue(featureNames.map(() => value)).confidence;
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(Math.round(share * 100) / 100).toBe(share);
    }
  });

  it('gives the same probability, or 0 below the least that is asked for', () => {
    const described = describeCandidates({
      subject: 'Your order',
      text: 'Order number: 482913\n\nYour code: 739204\n\nCustomer 58291, 4829 points, 71 years',
      html: null,
      ...sender,
    });
    expect(described.length).toBeGreaterThan(2);
    for (const { features } of described) {
      const { sum, confidence } = judgeValue(features);
      for (const least of [0.1, 0.5, 0.8, 0.99]) {
        const again = judgeValue(features, least);
        expect(again.confidence).toBe(confidence < least ? 0 : confidence);
        if (again.confidence > 0) expect(again.sum).toBe(sum);
      }
    }
  });

  it('describes a value by what is near it and at the beginning, not by the rest of a long text', () => {
    const near = `Your code: 482913\n${'plain words of no meaning here\n'.repeat(400)}`;
    const [value] = describeCandidates({ subject: '', text: near, html: null, ...sender });
    const [same] = describeCandidates({
      subject: '',
      text: near.replace(/plain words.{20}\n$/, 'order code number'),
      html: null,
      ...sender,
    });
    const differing = featureNames.filter((_, i) => value?.features[i] !== same?.features[i]);
    expect(differing.filter((name) => /Near|OnLine|Before|After|InMail|InSubject/.test(name))).toEqual([]);
  });

  it('describes each value by as many numbers as there are names, each name once', () => {
    expect(new Set(featureNames).size).toBe(featureNames.length);
    expect(featureNames.length).toBeLessThan(256);
    const described = describeCandidates({
      subject: 'Code',
      text: 'Your code: 482913',
      html: null,
      ...sender,
    });
    expect(described.map(({ features }) => features.length)).toEqual([featureNames.length]);
  });
});

describe('codes in languages without word lists', () => {
  it.each([
    ['Ikhodi yakho yokuqinisekisa ithi 447746.', '447746'],
    ['ລະຫັດຢືນຢັນຂອງທ່ານແມ່ນ 607973', '607973'],
    ['သင်၏ အတည်ပြုကုဒ်မှာ 462690 ဖြစ်သည်။', '462690'],
  ])('%s', (text, code) => {
    expect(shown({ text })).toBe(code);
  });

  it.each([
    ['<p style="font-size:32px">8421</p><p>Ihlolwe kaningi</p>'],
    ['<div style="font-size:40px">48291</div><div>hatua leo</div>'],
    ['<p>Mitazamo ya wasifu</p><h1>73914</h1>'],
  ])('are not what a figure is: %s', (html) => {
    expect(shown({ html })).toBeNull();
  });
});

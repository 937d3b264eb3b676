// Varies a drafted mail with what any mail may have besides: thanks, buttons, particulars, sentences run together. Without
// it, trees learn the templates by heart.
import type { Block } from './blocks.ts';
import { type Draft, fill, otherCode, para } from './drafts.ts';
import { date, type Kit, otherNumber } from './kit.ts';

export function embroider(draft: Draft, kit: Kit): Draft {
  let blocks = [...draft.blocks];
  const count = kit.pick([0, 0, 1, 1, 2, 3]);
  for (let i = 0; i < count; i++) {
    const at = kit.below(blocks.length + 1);
    blocks.splice(at, 0, draft.expect === null ? aroundNothing(kit) : aroundCode(kit));
  }
  if (kit.chance(0.12)) blocks = runTogether(blocks);
  return { ...draft, blocks, subject: kit.chance(0.12) ? otherSubject(draft, kit) : draft.subject };
}

function aroundCode(kit: Kit): Block {
  const { phrases, pick } = kit;
  return pick<() => Block>([
    () => para(pick(phrases.thanks)),
    () => para(pick(phrases.ignore)),
    () => ({ kind: 'button', text: pick(phrases.buttons) }),
    () => ({
      kind: 'rows',
      rows: [
        ['IP', `198.51.100.${kit.below(250)}`],
        [kit.brand, date(kit)],
      ],
    }),
    () => ({ kind: 'rows', rows: [[phrases.orders[3 + kit.below(2)] ?? '', otherNumber(kit)]] }),
    () => para(`${phrases.footer[1] ?? ''} 0${kit.digits(3)} ${kit.digits(5)}`),
    () => para(pick(['Do not reply to this e-mail.', 'noreply', kit.brand, `© ${kit.brand} 2026`])),
    () => para(`${otherCode(kit)}: ${otherNumber(kit)}`),
    () => para(kit.person),
    () => para(date(kit)),
    () => ({ kind: 'heading', text: kit.brand }),
  ])();
}

function aroundNothing(kit: Kit): Block {
  const { phrases, pick } = kit;
  if (kit.chance(0.5)) return aroundCode(kit);
  return pick<() => Block>([
    () => para(pick(phrases.thanks)),
    () => para(pick(phrases.subjects)),
    () => ({ kind: 'heading', text: pick(phrases.subjects) }),
    () => para(fill(pick(phrases.coupon), { k: pick(['WELCOME20', kit.digits(6)]) })),
    () => para(fill(pick(phrases.counts), { n: otherNumber(kit) })),
    () => para(pick(phrases.complaint)),
    () => para(fill(pick(phrases.payment), { m: `${kit.digits(2)},00 €`, e: kit.digits(4) })),
    () => ({ kind: 'rows', rows: [[pick(phrases.figures), otherNumber(kit)]] }),
  ])();
}

/** All paragraphs as one. */
function runTogether(blocks: readonly Block[]): Block[] {
  const texts = blocks.flatMap((block) => (block.kind === 'para' ? [block.text] : []));
  const first = blocks.findIndex(({ kind }) => kind === 'para');
  return blocks.flatMap((block, i) => {
    if (block.kind !== 'para') {
      return [block];
    }
    return i === first ? [para(texts.join(' '))] : [];
  });
}

function otherSubject({ expect }: Draft, kit: Kit): string {
  const { phrases, brand, pick } = kit;
  if (expect !== null) {
    return pick([brand, `${brand} ${String(2020 + kit.below(8))}`, pick(phrases.thanks), 'Info', 'noreply']);
  }
  return pick([brand, pick(phrases.subjects), pick(phrases.thanks), `${brand} #${kit.digits(5)}`]);
}

// Makes a message's HTML safe to show: DOMPurify with an allow-list, and proof that parsing the result again changes
// nothing, which mutation attacks rely on. DOMPurify runs on our plain DOM first; without proof that result is
// discarded, and the message starts over on jsdom, pass after pass. Runs only in the sanitiser's worker: it blocks,
// and a sender can make it take long. It loads nothing and runs no script of the message.
import { randomBytes } from 'node:crypto';
import { findBase } from '../extract/link-address.ts';
import { slotScheme } from './allowed-markup.ts';
import { createHtmlPurifier, type HtmlPurifier } from './html-purifier.ts';
import { isSettled } from './is-settled.ts';
import { ExcessiveMarkupError } from './markup-budget.ts';
import type { RemoteImages, SanitiseJob } from './markup-hooks.ts';
import { createPlainWindow } from './plain-dom/plain-window.ts';
import type { RefusedHtml, SafeHtml } from './safe-html.ts';

export interface SanitiseInput {
  /** Untrusted. */
  readonly html: string;
  readonly images: RemoteImages;
  /** Names of the parts that can be shown, without angle brackets; see findPictures. */
  readonly contentIds: readonly string[];
}

export interface HtmlCleaner {
  /** A refused message has nothing that could be shown. */
  sanitise(input: SanitiseInput): Promise<SafeHtml | RefusedHtml>;
}

/** One for ordinary mail, one more for markup that settles after a removal. */
const quickPasses = 2;
/** Two as above, one to confirm the result where is-settled is in doubt, and room for markup that settles slowly. */
const thoroughPasses = 5;
/** Twice the longest accepted HTML: the output passes through the main thread. */
const safeMaxChars = 4 * 1024 * 1024;

export function createHtmlCleaner(): HtmlCleaner {
  const quickly = createQuickPurifier();
  let thoroughly: Promise<HtmlPurifier> | undefined;
  return {
    async sanitise(input) {
      try {
        const quick = sanitiseQuickly(input, quickly);
        if (quick !== undefined) return quick;
        // Our own DOM has parsed it within bounds; jsdom's parser is the same and makes no more of it.
        thoroughly ??= openThoroughly();
        return sanitiseThoroughly(input, await thoroughly) ?? { refused: 'unstable' };
      } catch (error) {
        if (error instanceof ExcessiveMarkupError) return { refused: 'excessive' };
        throw error;
      }
    },
  };
}

function createQuickPurifier(): HtmlPurifier {
  const found: ExcessiveMarkupError[] = [];
  const purify = createHtmlPurifier(
    createPlainWindow((error) => {
      found.push(error);
    }),
  );
  return (job, html) => {
    found.length = 0;
    const safe = purify(job, html);
    const [excess] = found;
    if (excess) throw excess;
    return safe;
  };
}

/** Takes half a second and 60 MB when the first message needs it. */
async function openThoroughly(): Promise<HtmlPurifier> {
  const { createJsdomWindow } = await import('./jsdom-window.ts');
  return createHtmlPurifier(createJsdomWindow());
}

/** Returns undefined where doubt remains. @throws ExcessiveMarkupError */
export function sanitiseQuickly(input: SanitiseInput, purify: HtmlPurifier): SafeHtml | undefined {
  const job = createJob(input);
  let known = input.html;
  for (let passes = 0; passes < quickPasses; passes += 1) {
    known = purify(job, known);
    job.isFirstPass = false;
    if (isSettled(job, known)) return toSafeHtml(job, known);
  }
  return undefined;
}

/** Returns undefined where the markup never settles. @throws ExcessiveMarkupError */
export function sanitiseThoroughly(input: SanitiseInput, purify: HtmlPurifier): SafeHtml | undefined {
  const job = createJob(input);
  let known = purify(job, input.html);
  job.isFirstPass = false;
  for (let passes = 1; passes < thoroughPasses; passes += 1) {
    if (isSettled(job, known)) return toSafeHtml(job, known);
    const next = purify(job, known);
    if (next === known) return toSafeHtml(job, known);
    known = next;
  }
  return undefined;
}

function createJob({ html, images, contentIds }: SanitiseInput): SanitiseJob {
  return {
    images,
    contentIds: new Set(contentIds),
    base: findBase(html),
    nonce: randomBytes(16).toString('hex'),
    slots: [],
    slotChars: 0,
    flaggedLinks: new Map(),
    styles: new Map(),
    remoteContent: 0,
    remoteImages: 0,
    mode: 'no-quirks',
    isFirstPass: true,
  };
}

function toSafeHtml(job: SanitiseJob, html: string): SafeHtml {
  if (html.length > safeMaxChars) throw new ExcessiveMarkupError();
  const gap = new RegExp(`${slotScheme}:${job.nonce}-(\\d+);`);
  const parts = job.slots.length === 0 ? [html] : html.split(gap);
  const numbers = parts.filter((_, i) => i % 2 === 1).map(Number);
  return {
    pieces: parts.filter((_, i) => i % 2 === 0),
    slots: numbers.flatMap((number) => job.slots[number] ?? []),
    mode: job.mode,
    remoteContent: job.remoteContent,
    remoteImages: job.remoteImages,
    flaggedLinks: [...job.flaggedLinks].map(([url, flags]) => ({ url, flags: [...flags] })),
  };
}

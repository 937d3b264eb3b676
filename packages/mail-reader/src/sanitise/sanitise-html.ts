// A message's HTML made safe to show: DOMPurify with an allow-list, and proof that parsing its own result changes nothing
// any more, which is what mutation attacks need. DOMPurify works on our plain DOM first; without proof what that came to is
// thrown away, and the message taken from its start over jsdom, pass after pass. Runs in the sanitiser's worker only: it
// blocks, and a sender can make it take long. It loads nothing and runs no script of the message.
import { randomBytes } from 'node:crypto';
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
  /** Of the inline parts that can be shown, without angle brackets. */
  readonly contentIds: readonly string[];
}

export interface HtmlCleaner {
  /** Where it is refused there is nothing that could be shown. */
  sanitise(input: SanitiseInput): Promise<SafeHtml | RefusedHtml>;
}

/** One for ordinary mail, one more for what falls into place once something was taken out of it. */
const quickPasses = 2;
/** Two as above, one to see it unchanged where is-settled is in doubt, and room for what settles slowly. */
const thoroughPasses = 5;
/** What is shown goes through the thread that serves everybody: twice the longest HTML that is taken. */
const maxSafeChars = 4 * 1024 * 1024;

export function createHtmlCleaner(): HtmlCleaner {
  const quickly = createQuickPurifier();
  let thoroughly: Promise<HtmlPurifier> | undefined;
  return {
    async sanitise(input) {
      try {
        const quick = sanitiseQuickly(input, quickly);
        if (quick !== undefined) return quick;
        // Our own DOM has parsed it within bounds: jsdom's parser is the same and comes to no more.
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

/** Half a second and 60 MB, spent when the first message needs it. */
async function openThoroughly(): Promise<HtmlPurifier> {
  const { createJsdomWindow } = await import('./jsdom-window.ts');
  return createHtmlPurifier(createJsdomWindow());
}

/** Undefined where doubt is left. @throws ExcessiveMarkupError */
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

/** Undefined where it never comes to rest. @throws ExcessiveMarkupError */
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

function createJob({ images, contentIds }: SanitiseInput): SanitiseJob {
  return {
    images,
    contentIds: new Set(contentIds),
    nonce: randomBytes(16).toString('hex'),
    slots: [],
    slotChars: 0,
    flaggedLinks: new Map(),
    styles: new Map(),
    remoteContent: 0,
    remoteImages: 0,
    isFirstPass: true,
  };
}

function toSafeHtml(job: SanitiseJob, html: string): SafeHtml {
  if (html.length > maxSafeChars) throw new ExcessiveMarkupError();
  const gap = new RegExp(`${slotScheme}:${job.nonce}-(\\d+);`);
  const parts = job.slots.length === 0 ? [html] : html.split(gap);
  const numbers = parts.filter((_, i) => i % 2 === 1).map(Number);
  return {
    pieces: parts.filter((_, i) => i % 2 === 0),
    slots: numbers.flatMap((number) => job.slots[number] ?? []),
    remoteContent: job.remoteContent,
    remoteImages: job.remoteImages,
    flaggedLinks: [...job.flaggedLinks].map(([url, flags]) => ({ url, flags: [...flags] })),
  };
}

// The gallery of components, for tests and for developers of the page; not part of the service. `npm run gallery`
// takes its pictures and compares them.
import { render, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

import { loadMoreTexts } from '../src/i18n/translate.ts';
import '../src/style.ts';
import '../src/style-reader.ts';
import '../src/style-dialogs.ts';
import '../src/styles/inbox/swipe.css';
import './gallery.css';
import { sampleAnswers } from './samples.ts';
import { arrange, type Specimen, specimens } from './specimens.tsx';

window.fetch = (input) => {
  const path = new URL(input instanceof Request ? input.url : input, location.href).pathname.slice(1);
  const answer = sampleAnswers[path];
  const status = answer === undefined ? 404 : 200;
  return Promise.resolve(new Response(JSON.stringify(answer ?? { code: 'not_found' }), { status }));
};
// Shown in place, rather than over the other specimens.
HTMLDialogElement.prototype.showModal = function show(this: HTMLDialogElement): void {
  this.setAttribute('open', '');
};

const references = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for', 'name'] as const;

/** A component can appear several times here, but only once on the page. */
function makeIdsUnique(box: HTMLElement, at: number): void {
  const prefix = `s${at}-`;
  const rename = (id: string): string => (id.startsWith(prefix) ? id : prefix + id);
  for (const element of [box, ...box.querySelectorAll('[id]')]) {
    if (element.id !== '') element.id = rename(element.id);
  }
  for (const name of references) {
    for (const element of [box, ...box.querySelectorAll(`[${name}]`)]) {
      const ids = element.getAttribute(name)?.split(' ').filter(Boolean) ?? [];
      if (ids.length > 0) element.setAttribute(name, ids.map(rename).join(' '));
    }
  }
}

function Box({ specimen, at }: { readonly specimen: Specimen; readonly at: number }): VNode {
  const { name, view: View, isWide, isOpen } = specimen;
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (!box.current) return;
    if (isOpen) box.current.querySelector<HTMLElement>('.menu > button')?.click();
  }, [isOpen]);
  return (
    <section class={`specimen${isWide ? ' is-wide' : ''}`} data-specimen={name} data-at={at}>
      <h2 class="specimen-name">{name}</h2>
      <div ref={box} class={`specimen-box${isOpen ? ' is-open' : ''}`}>
        <View />
      </div>
    </section>
  );
}

await loadMoreTexts();
arrange();
const root = document.querySelector('#gallery');
if (!root) throw new Error('The page has no place for the gallery.');
render(
  <main class="gallery">
    <h1 class="visually-hidden">Gallery</h1>
    {specimens.map((specimen, at) => (
      <Box key={specimen.name} specimen={specimen} at={at} />
    ))}
  </main>,
  root,
);

/** Call before anything examines the page: a component that renders again has its own ids back. */
function settle(): void {
  const boxes = document.querySelectorAll<HTMLElement>('.specimen-box > *');
  for (const [at, box] of boxes.entries()) makeIdsUnique(box, at);
}
document.addEventListener('gallery-settle', settle);

/** Parts that load late: the code that draws QR codes, answers, the list of addresses, and the reasons why no mail may have come. */
const late = ['.qr-code', '.log-entry', '.empty-log', '.empty-why', '.address-entry'];

function finish(): void {
  if (late.every((selector) => document.querySelector(selector))) {
    document.documentElement.dataset['ready'] = '';
  } else requestAnimationFrame(finish);
}
finish();

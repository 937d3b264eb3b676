import { expect, it } from 'vitest';

import { pickFirstStyle } from './first-style.mjs';

it('picks the rules for what is shown first, in the layers of the sheet', () => {
  const sheet =
    '@layer base,views,print;@layer base{*,:before{box-sizing:border-box}h1,h2{margin:0}[hidden]{display:none}}' +
    '@layer views{.inbox,.reader{display:flex}.rail .brand>span{flex:1}.rail:hover{color:red}.row{height:1px}' +
    '@media (min-width:40rem){.inbox{flex:1}.row{flex:1}}@media (hover:hover){.inbox{flex:2}}' +
    '@media print{.inbox{flex:3}}}@keyframes rise{0%{opacity:0}}@keyframes late{to{opacity:1}}@layer print{.app:has(.row){display:none}}';
  expect(pickFirstStyle(sheet)).toBe(
    '@layer base,views,print;@layer base{*,:before{box-sizing:border-box}h1{margin:0}}' +
      '@layer views{.inbox{display:flex}.rail .brand>span{flex:1}@media (min-width:40rem){.inbox{flex:1}}}@keyframes late{to{opacity:1}}',
  );
});

it('keeps only the tokens that vary, and puts the others in their places', () => {
  const sheet =
    '@layer views{:root{--gap:4px;--half:calc(var(--gap) / 2);--ink:#111;--unused:1px}@media (prefers-color-scheme:dark){:root{--ink:#eee}}' +
    '@media (min-width:64rem){:root{--unused:2px}}.app{gap:var(--gap);margin:var(--half);color:var(--ink);user-select:all}}';
  expect(pickFirstStyle(sheet)).toBe(
    '@layer views;@layer views{:root{--half:calc(4px / 2);--ink:#111}@media (prefers-color-scheme:dark){:root{--ink:#eee}}' +
      '.app{gap:4px;margin:var(--half);color:var(--ink)}}',
  );
});

// The look of what stands in pages. The colours are the page's of web/src/styles/tokens.css.

export const style = `
* { box-sizing: border-box; margin: 0; font: inherit; letter-spacing: normal; }
svg { display: block; width: 100%; height: 100%; }
.body { fill: currentColor; }
.line { fill: none; stroke: currentColor; stroke-width: 2.4; stroke-linecap: round; }
button { all: unset; box-sizing: border-box; cursor: pointer; -webkit-tap-highlight-color: transparent; }
button:focus-visible { outline: 2px solid light-dark(#0b6e57, #4fd1ae); outline-offset: 2px; }

.icon { display: block; width: 24px; height: 24px; padding: 3px; border-radius: 6px; color: var(--own); opacity: .55; }
.icon:hover, .icon:focus-visible { opacity: 1; color: light-dark(#0b6e57, #4fd1ae); background: light-dark(#e4f3ee, #12302a); }
.icon.is-waiting { opacity: 1; color: light-dark(#0b6e57, #4fd1ae); background: light-dark(#e4f3ee, #12302a); }
.icon.is-busy { animation: breathe 1s ease-in-out infinite alternate; }
@keyframes breathe { to { opacity: .25; } }

.card {
  width: min(280px, calc(100vw - 24px)); padding: 10px;
  display: grid; gap: 8px; border-radius: 12px; border: 1px solid light-dark(#e3e5df, #2a322f);
  background: light-dark(#fff, #171b1a); color: light-dark(#14201b, #e8eeeb);
  box-shadow: 0 1px 2px rgb(0 0 0 / 8%), 0 8px 24px rgb(0 0 0 / 14%);
  font: 13px/18px system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif; text-align: start;
}
.head { display: flex; align-items: center; gap: 6px; padding-inline: 2px; color: light-dark(#58635d, #a0aca6); }
.head .mark { width: 16px; height: 16px; flex: none; color: light-dark(#0b6e57, #4fd1ae); }
.head .words { flex: 1; min-width: 0; }
.close { width: 24px; height: 24px; padding: 5px; border-radius: 6px; flex: none; color: inherit; }
.close:hover { background: light-dark(#eeefeb, #202624); }
.code {
  display: flex; align-items: center; justify-content: space-between; gap: 16px; padding: 8px 12px; border-radius: 8px;
  background: light-dark(#ffcf5c, #e9b949); color: #2b1d00; font-weight: 500;
}
.code:hover { background: light-dark(#f7bf3a, #f5cc6b); }
.code .value {
  font: 600 20px/28px ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', monospace;
  letter-spacing: .06em; overflow-wrap: anywhere; direction: ltr; unicode-bidi: isolate;
}
.code .act { flex: none; }
.link {
  padding: 8px 12px; border-radius: 8px; text-align: center; font-weight: 500; overflow-wrap: anywhere;
  background: light-dark(#0b6e57, #4fd1ae); color: light-dark(#fff, #04231b);
}
.link:hover { background: light-dark(#095a47, #71dfc2); }
.code + .link { background: light-dark(#e4f3ee, #12302a); color: light-dark(#08604c, #6fe0c1); }
.link.is-asking, .link.is-asking:hover { background: light-dark(#fdecea, #331917); color: light-dark(#b3261e, #ff8f85); }
.note { padding-inline: 2px; overflow-wrap: anywhere; }
.sender { color: light-dark(#b3261e, #ff8f85); }
.sender b { font-weight: 600; unicode-bidi: isolate; }
.act-text { color: light-dark(#08604c, #6fe0c1); font-weight: 500; padding-inline: 2px; justify-self: start; }
.act-text:hover { text-decoration: underline; }
@media (forced-colors: active) { .card, .icon, .code, .link { border: 1px solid ButtonText; } }
@media (prefers-reduced-motion: reduce) { .icon { animation: none !important; } }
@media print { :host { display: none !important; } }
`;

// The style sheet of /docs and of the page for unknown paths, in the colours of the web app; a separate file because
// their policy forbids inline style.

export const docsStyle = `:root {
  color-scheme: light dark; font: 15px/1.55 Geist, system-ui, sans-serif;
  --paper: light-dark(#f6f6f3, #0f1211); --card: light-dark(#fff, #171b1a); --sunk: light-dark(#eeefeb, #202624);
  --ink: light-dark(#14201b, #e8eeeb); --ink-2: light-dark(#58635d, #a0aca6); --line: light-dark(#e3e5df, #2a322f);
  --act: light-dark(#0b6e57, #4fd1ae); --on-act: light-dark(#fff, #04231b); --act-text: light-dark(#08604c, #6fe0c1);
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); scroll-padding-top: 4rem; }
body { display: grid; grid-template-columns: 15rem minmax(0, 60rem) minmax(0, 1fr); gap: 0 2rem; margin: 0; padding: 0 1.5rem 4rem; }
a { color: var(--act-text); }
:focus-visible { outline: 2px solid var(--act); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; }
.top { position: sticky; top: 0; z-index: 1; grid-column: 1 / -1; display: flex; gap: 1rem; align-items: center; margin: 0 -1.5rem; padding: .75rem 1.5rem; border-bottom: 1px solid var(--line); background: var(--card); }
.top span { color: var(--ink-2); flex: 1; }
.brand { display: flex; gap: .5rem; align-items: center; color: var(--ink); font-weight: 600; text-decoration: none; }
.brand i { width: 24px; height: 24px; border-radius: 6px; background: var(--act); }
.brand .mark { background: url(../favicon.svg) center / cover; }
nav { position: sticky; top: 3.4rem; align-self: start; max-height: calc(100vh - 3.4rem); overflow: auto; padding: .5rem 0 2rem; font-size: .875rem; }
nav h2 { margin: 1rem 0 .2rem; color: var(--ink-2); font-size: .75rem; font-weight: 600; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem .5rem; margin-left: -.5rem; border-radius: 6px; color: var(--ink); text-decoration: none; overflow-wrap: anywhere; }
nav a:hover { background: var(--sunk); }
main { min-width: 0; padding-top: 1rem; }
b.is-get, b.is-post { display: inline-block; min-width: 2.6rem; color: var(--act-text); font: 600 .72rem/1 ui-monospace, monospace; }
b.is-post { color: light-dark(#7a4a00, #e9b949); }
h1 { margin: .5rem 0; font-size: 1.75rem; letter-spacing: -.01em; }
.group { margin: 2.5rem 0 .25rem; font-size: 1.25rem; }
.group + p { margin: 0; color: var(--ink-2); }
section { margin-top: 1rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 12px; background: var(--card); }
#errors { border: 0; padding: 0; background: none; }
.operation { margin: 0; font-size: 1.05rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 .25rem; font-size: .8rem; color: var(--ink-2); }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .8rem .35rem 0; text-align: left; vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--ink-2); font-size: .8rem; font-weight: 500; }
td:first-child { min-width: 8rem; }
code, pre { font: .85em/1.5 ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: var(--sunk); border-radius: 8px; overflow: auto; padding: .8rem 1rem; max-height: 30rem; }
a[href^="#error-"] { display: inline-block; margin-right: .5rem; line-height: 1.75rem; }
.note { padding: .75rem 1rem; border-radius: 12px; background: light-dark(#e4f3ee, #12302a); }
button { padding: .45rem .9rem; border: 0; border-radius: 8px; background: var(--act); color: var(--on-act); font: 500 .9rem/1.4 inherit; font-family: inherit; cursor: pointer; }
button[aria-disabled=true] { opacity: .6; }
.try { margin-top: 1rem; }
.try form { display: grid; grid-template-columns: repeat(auto-fill, minmax(12rem, 1fr)); gap: .6rem; margin-top: .6rem; align-items: end; }
.try label { display: grid; gap: .15rem; font: .8rem ui-monospace, monospace; }
.try input { width: 100%; padding: .4rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: var(--sunk); color: var(--ink); font: inherit; }
summary { cursor: pointer; color: var(--act-text); font-weight: 500; }
[hidden] { display: none; }
.lost { display: block; max-width: 34rem; margin: 18vh auto 0; }
.lost p { color: var(--ink-2); }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); padding: 0 1rem 3rem; } .top { margin: 0 -1rem; padding: .75rem 1rem; } nav { position: static; max-height: none; columns: 2; } nav h2 { break-after: avoid; } nav h2:first-child { margin-top: 0; } section { padding: .75rem 1rem; } table { font-size: .875rem; } }
@media print { nav, .top, .note, .try { display: none; } body { display: block; } section { break-inside: avoid; } pre { max-height: none; white-space: pre-wrap; } }
`;

// The style sheet of /docs, a separate file because the page's policy forbids inline style.

export const docsStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
html { background: Canvas; color: CanvasText; }
body { display: grid; grid-template-columns: 15rem minmax(0, 60rem); gap: 2rem; margin: 0 1.5rem 4rem; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding-top: 1.5rem; }
nav h2 { margin: 1rem 0 .2rem; font-size: .8rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a { display: block; padding: .2rem 0; text-decoration: none; }
nav b, h2 b { font-size: .75em; letter-spacing: .04em; }
section { border-top: 1px solid #8886; margin-top: 2.5rem; padding-top: .5rem; }
h2 { font-size: 1.25rem; margin-bottom: .25rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin-bottom: .25rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
pre { background: #8881; overflow: auto; padding: .8rem 1rem; }
[hidden] { display: none; }
small { font-weight: normal; opacity: .7; }
@media (max-width: 50rem) { body { grid-template-columns: minmax(0, 1fr); } nav { position: static; } }
`;

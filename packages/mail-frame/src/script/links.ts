// Links. One to a place in the message moves the page there. One that the sanitiser has flagged, by a title that names
// where it leads, is not followed: the page asks first, whichever button or key was used.

export const links = `
const linkAt = (target) => (target instanceof Element ? closest.call(target, 'a[href]') : null);
const point = ({ target }) => {
  const link = linkAt(target);
  tell({ kind: 'link', url: link && typeof link.href === 'string' ? link.href.slice(0, 4096) : '' });
};
addEventListener('mouseover', point);
addEventListener('focusin', point);
root.addEventListener('mouseleave', () => tell({ kind: 'link', url: '' }));
const isFlagged = (link) => URL.canParse(link.href) && getAttribute.call(link, 'title') === 'Opens ' + new URL(link.href).host;
const ask = (event) => {
  const link = linkAt(event.target);
  if (!link || !isFlagged(link)) return false;
  event.preventDefault();
  if (event.isTrusted) tell({ kind: 'doubt', url: link.href.slice(0, 4096) });
  return true;
};
addEventListener('auxclick', ask);
addEventListener('dragstart', (event) => {
  const link = linkAt(event.target);
  if (link && isFlagged(link)) event.preventDefault();
});
addEventListener('click', (event) => {
  if (ask(event)) return;
  const link = linkAt(event.target);
  const href = link && getAttribute.call(link, 'href');
  if (!event.isTrusted || !href || href[0] !== '#' || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const name = href.slice(1);
  const named = 'a[name="' + CSS.escape(name) + '"]';
  const target = name && (getElementById.call(document, name) || querySelector.call(document, named));
  if (target) {
    const folded = closest.call(target, '.mayfly-fold');
    if (folded) folded.open = true;
    tell({ kind: 'jump', top: toPage(target.getBoundingClientRect().top) });
  } else if (name === '' || name === 'user-content-top') tell({ kind: 'jump', top: 0 });
});`;

// Makes a message fit its frame. One that would have to become so small that 16 px fall below 14 is laid out anew,
// unless the page asks for the sender's layout: first without fixed widths, then with cells below each other, then with
// words broken anywhere.

/** The smallest scale of the sender's layout; wider messages scroll sideways. */
const leastZoom = 0.4;
/** 14 px for 16. */
const readableZoom = 0.875;
/** The margin that browsers leave beside a message, dropped if the message then fits unscaled. */
const edge = 8;

export const widthStyle =
  '[data-fit~=tight] body{overflow-wrap:anywhere}[data-fit=wide] body{margin-inline:2px;overflow-wrap:break-word}' +
  '[data-fit~=reflow] body{margin-inline:4px!important;min-width:0!important;overflow-wrap:break-word}' +
  '[data-fit~=reflow] body *{max-width:100%!important;min-width:0!important;box-sizing:border-box!important}' +
  '[data-fit~=reflow] :is(td,th){width:auto!important}[data-fit~=reflow] table{table-layout:auto!important}' +
  '[data-fit~=reflow] img{height:auto!important}' +
  '[data-fit~=stack] :is(table,tbody,thead,tfoot,tr,td,th){display:block!important;width:auto!important}' +
  '[data-fit~=stack] body :not(pre){white-space:normal!important}';

export const width = `
let width = -1;
let isReadable = true;
const isOver = () => {
  const area = scroller.call(document) || root;
  return area.scrollWidth > area.clientWidth + 1;
};
const scale = (factor) => {
  zoom = factor;
  root.style.zoom = factor === 1 ? '' : String(factor);
};
const shrink = (least) => {
  const area = scroller.call(document) || root;
  let spare = ${edge};
  for (let turn = 0; turn < 3 && zoom > least && isOver(); turn += 1) {
    scale(Math.max(least, (zoom * area.clientWidth) / (area.scrollWidth + spare)));
    spare = 0;
  }
};
const reflow = () => {
  for (const steps of ['reflow', 'reflow stack', 'reflow stack tight']) {
    scale(1);
    root.dataset.fit = steps;
    shrink(${readableZoom});
    if (!isOver()) return;
  }
  shrink(${leastZoom});
};
const fit = () => {
  if (innerWidth === 0) return;
  width = innerWidth;
  isChasing = false;
  scale(1);
  delete root.dataset.fit;
  if (isOver()) root.dataset.fit = 'wide';
  let isSmall = false;
  if (isOver()) {
    delete root.dataset.fit;
    const area = scroller.call(document) || root;
    if (area.clientWidth > 0 && area.scrollWidth * ${leastZoom} > area.clientWidth) root.dataset.fit = 'tight';
    shrink(${leastZoom});
    isSmall = zoom < ${readableZoom};
    if (isSmall && isReadable) reflow();
  }
  tell({ kind: 'fit', isSmall });
  measure();
};
addEventListener('load', fit, true);
addEventListener('resize', () => {
  if (innerWidth === width) measure();
  else fit();
});`;

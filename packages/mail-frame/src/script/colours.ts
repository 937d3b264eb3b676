// Colours of a message on a dark page. A plain one takes the page's: what is white becomes the ground, light boxes become
// dark ones, and each text keeps its contrast with what is below it. One with a design of its own keeps it unless the
// reader asks. Pictures, and what lies on them, are never changed. On paper all are as their senders made them.
// A frame without a width yet is painted once it has one: what is large is not known before.

const ground = [23, 27, 26];
/** Elements looked at; the rest of a longer message takes the colours of the root. */
const mostElements = 5_000;
const wholeGround = '--mayfly-ground';

export const colourStyle =
  `[data-scheme=dark]{color-scheme:dark!important;background:var(${wholeGround},rgb(${ground.join()}))!important;color:rgb(232,238,235)!important}` +
  '[data-scheme=dark] :link{color:rgb(79,209,174)}';

export const colours = `
const ground = [${ground.join()}, 1];
const white = [255, 255, 255, 1];
let scheme = new URLSearchParams(location.search).get('dark') === '1' ? 'auto' : 'light';
let changed = [];
if (scheme === 'auto') root.dataset.scheme = 'dark';
const toColour = (text) => {
  const found = /^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?\\)$/.exec(text);
  return found && [Number(found[1]), Number(found[2]), Number(found[3]), Number(found[4] ?? 1)];
};
const toText = (colour) => 'rgb(' + colour.slice(0, 3).join() + ')';
const linear = (value) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
const light = ([red, green, blue]) => 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
const contrast = (one, other) => {
  const [a, b] = [light(one), light(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
};
const mix = (from, to, share) => from.map((value, at) => (at < 3 ? Math.round(value + (to[at] - value) * share) : value));
const darken = (colour) => {
  const amount = light(colour);
  if (amount < 0.35) return colour;
  return mix(colour, ground, amount > 0.97 ? 1 : 0.88);
};
const lighten = (colour, { before, after }) => {
  if (before === after || contrast(colour, after) >= 4.5) return colour;
  const wanted = Math.min(12, Math.max(4.5, contrast(colour, before)));
  let best = colour;
  for (let share = 0.1; share <= 1 && contrast(best, after) < wanted; share += 0.1) best = mix(colour, white, share);
  return best;
};
const elements = () => [...querySelectorAll.call(document, 'body, body *')].slice(0, ${mostElements});
const isDesigned = () => {
  const { width, height } = root.getBoundingClientRect();
  const body = bodyOf.call(document);
  return [root, ...elements()].some((element) => {
    const style = getComputedStyle(element);
    if (style.backgroundImage !== 'none') return true;
    const colour = toColour(style.backgroundColor);
    if (!colour || colour[3] < 0.5 || light(colour) > 0.97) return false;
    if (element === root || element === body) return true;
    const box = getBoundingClientRect.call(element);
    return box.width * box.height > 0.3 * width * height;
  });
};
const planColours = () => {
  const grounds = new Map([[root, { before: white, after: ground }]]);
  const plans = [];
  const body = bodyOf.call(document);
  for (const element of elements()) {
    const style = getComputedStyle(element);
    const below = grounds.get(parentOf.call(element));
    const isKept = !below || style.backgroundImage !== 'none';
    if (isKept) continue;
    const plan = [];
    const own = toColour(style.backgroundColor);
    const hasOwn = own !== null && own[3] > 0.5;
    const state = hasOwn ? { before: own, after: darken(own) } : below;
    if (hasOwn && state.after !== own) plan.push(['background-color', state.after]);
    // The colour of the body is that of the whole frame.
    if (hasOwn && element === body) root.style.setProperty('${wholeGround}', toText(state.after));
    grounds.set(element, state);
    const colour = toColour(style.color);
    const shown = colour && lighten(colour, state);
    if (shown !== colour) plan.push(['color', shown]);
    for (const side of ['top', 'right', 'bottom', 'left']) {
      const line = style.getPropertyValue('border-' + side + '-width') === '0px' ? null : toColour(style.getPropertyValue('border-' + side + '-color'));
      if (line && light(line) > 0.35) plan.push(['border-' + side + '-color', mix(line, ground, 0.75)]);
    }
    if (plan.length > 0) plans.push([element, plan]);
  }
  return plans;
};
const restore = () => {
  for (const [element, style] of changed) {
    if (style === null) removeAttribute.call(element, 'style');
    else setAttribute.call(element, 'style', style);
  }
  changed = [];
  delete root.dataset.scheme;
};
const darkenAll = () => {
  root.dataset.scheme = 'dark';
  for (const [element, plan] of planColours()) {
    changed.push([element, getAttribute.call(element, 'style')]);
    const style = styleOf.call(element);
    for (const [name, colour] of plan) style.setProperty(name, toText(colour), 'important');
  }
};
let isDue = false;
const paint = () => {
  isDue = innerWidth === 0;
  if (isDue) return;
  restore();
  const isDark = scheme === 'dark' || (scheme === 'auto' && !isDesigned());
  if (isDark) darkenAll();
  tell({ kind: 'scheme', isDark });
};
addEventListener('resize', () => {
  if (isDue) paint();
});
addEventListener('beforeprint', restore);
addEventListener('afterprint', paint);`;

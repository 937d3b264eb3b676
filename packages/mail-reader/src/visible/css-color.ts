// Parses colours of CSS and of old HTML attributes, as far as mail uses them, and compares their contrast.
import * as cssTree from 'css-tree';

/** Red, green and blue from 0 to 255; alpha from 0 to 1. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

export const black: Color = { r: 0, g: 0, b: 0, a: 1 };
export const white: Color = { r: 255, g: 255, b: 255, a: 1 };
const transparent: Color = { r: 0, g: 0, b: 0, a: 0 };

// CSS Color 4 §6.1; the British spellings are added below.
const named: ReadonlyMap<string, string> = new Map(
  (
    'aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000 ' +
    'blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 ' +
    'chocolate d2691e coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan ' +
    '008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f ' +
    'darkorange ff8c00 darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b ' +
    'darkslategray 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 ' +
    'dodgerblue 1e90ff firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite ' +
    'f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f honeydew f0fff0 hotpink ff69b4 ' +
    'indianred cd5c5c indigo 4b0082 ivory fffff0 khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 ' +
    'lemonchiffon fffacd lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 ' +
    'lightgreen 90ee90 lightpink ffb6c1 lightsalmon ffa07a lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 ' +
    'lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 ' +
    'mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 mediumpurple 9370db mediumseagreen 3cb371 ' +
    'mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 ' +
    'mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 ' +
    'olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98 paleturquoise ' +
    'afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 ' +
    'purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 ' +
    'sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd ' +
    'slategray 708090 snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 ' +
    'turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32 ' +
    'canvas ffffff canvastext 000000 window ffffff windowtext 000000'
  )
    .match(/\w{3,24} \w{6}/g)
    ?.flatMap((pair): [string, string][] => {
      const [name = '', hex = ''] = pair.split(' ');
      return [
        [name, hex],
        [name.replace('gray', 'grey'), hex],
      ];
    }),
);

/** Returns undefined for anything that is not a supported colour. */
export function parseColor(text: string): Color | undefined {
  // A parser writes no space where none is needed.
  const value = text
    .trim()
    .toLowerCase()
    .replaceAll(/%(?=[\d.+-])/g, '% ');
  if (value === 'transparent') return transparent;
  const hex = named.get(value) ?? /^#([0-9a-f]{3,8})$/.exec(value)?.[1];
  if (hex !== undefined) return parseHex(hex);
  const [, kind = '', list = ''] = /^(rgb|hsl|hwb|oklab|oklch)a?\(([^()]*)\)$/.exec(value) ?? [];
  const parts = list.split(/[\s,/]+/).filter((part) => part !== '');
  if (
    parts.length < 3 ||
    parts.length > 4 ||
    parts.some((part) => !/^[+-]?[\d.]+(?:e[+-]?\d+)?(?:%|deg)?$/.test(part))
  ) {
    return undefined;
  }
  const [first = 0, second = 0, third = 0] = parts.map((part) => Number.parseFloat(part));
  const a = toAlpha(parts[3]);
  if ([first, second, third, a].some(Number.isNaN)) return undefined;
  if (kind === 'rgb') {
    const isPercent = parts[0]?.endsWith('%') === true;
    const scale = (part: number): number => Math.min(255, Math.max(0, isPercent ? part * 2.55 : part));
    return { r: scale(first), g: scale(second), b: scale(third), a };
  }
  if (kind === 'oklab' || kind === 'oklch') return fromOk(kind, parts, a);
  return kind === 'hsl'
    ? fromHue(first, { a, at: (share) => hslChannel(share, second / 100, third / 100) })
    : fromHue(first, { a, at: (share) => hwbChannel(share, second / 100, third / 100) });
}

/** CSS Color 4 §9. */
function fromOk(kind: 'oklab' | 'oklch', parts: readonly string[], alpha: number): Color {
  const [lightness = 0, second = 0, third = 0] = parts.map((part, i) => {
    const whole = i === 0 ? 1 : 0.4;
    return part.endsWith('%') ? (Number.parseFloat(part) / 100) * whole : Number.parseFloat(part);
  });
  const hue = (third * Math.PI) / 180;
  const [a, b] = kind === 'oklab' ? [second, third] : [second * Math.cos(hue), second * Math.sin(hue)];
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (linear: number): number => {
    const share = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return 255 * Math.min(1, Math.max(0, share));
  };
  return {
    r: channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    g: channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    b: channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
    a: alpha,
  };
}

/** Words of backgrounds that are no colours. */
const placeWords = new Set(
  (
    'none repeat no-repeat repeat-x repeat-y space round center top bottom left right cover contain auto scroll fixed ' +
    'local border-box padding-box content-box text to at in circle ellipse closest-side closest-corner farthest-side ' +
    'farthest-corner initial inherit unset revert'
  ).split(' '),
);
const gradient = /^(?:-webkit-|-moz-|-o-)?(?:repeating-)?(?:linear|radial|conic)-gradient$/i;

/**
 * Returns the colours within a background. Pictures from elsewhere are not loaded, so nothing of them is seen;
 * `isUnknown` when anything else is not understood.
 */
export function findColors(text: string): { readonly colors: Color[]; readonly isUnknown: boolean } {
  const colors: Color[] = [];
  const tree = parseValue(text);
  let isUnknown = tree === undefined || tree.type !== 'Value';
  if (tree === undefined) return { colors, isUnknown };
  cssTree.walk(tree, {
    enter(this: cssTree.WalkContext & { skip: symbol }, node: cssTree.CssNode) {
      if (node.type === 'Url') isUnknown ||= /^\s*data:/i.test(node.value);
      else if (node.type === 'Identifier' && placeWords.has(node.name.toLowerCase())) return undefined;
      else if (node.type === 'Function' && (gradient.test(node.name) || /^calc$/i.test(node.name))) {
        return undefined;
      } else if (node.type === 'Identifier' || node.type === 'Hash' || node.type === 'Function') {
        const color = parseColor(cssTree.generate(node));
        if (color === undefined) isUnknown = true;
        else colors.push(color);
        return this.skip;
      } else if (node.type === 'Raw' || node.type === 'String') isUnknown = true;
      return undefined;
    },
  });
  return { colors, isUnknown };
}

function parseValue(text: string): cssTree.CssNode | undefined {
  try {
    return cssTree.parse(text, { context: 'value' });
  } catch {
    return undefined;
  }
}

/** Parses `bgcolor` and `color` of old elements as browsers do: with or without the `#`. Words and hex digits alone. */
export function parseOldColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  if (value.includes('(')) return undefined;
  return parseColor(value) ?? (/^[0-9a-f]{6}$/.test(value) ? parseHex(value) : undefined);
}

/** Returns the visible mixture of a colour over another. */
export function blend(front: Color, back: Color): Color {
  const mix = (one: number, other: number): number => one * front.a + other * (1 - front.a);
  return { r: mix(front.r, back.r), g: mix(front.g, back.g), b: mix(front.b, back.b), a: 1 };
}

/** Contrast (WCAG 2.2) below which text counts as hidden: about that of light grey on white. */
const leastContrast = 1.2;

export function isSeenOn(text: Color, background: Color): boolean {
  const [one, other] = [luminance(blend(text, background)), luminance(background)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05) >= leastContrast;
}

function luminance({ r, g, b }: Color): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

function parseHex(hex: string): Color | undefined {
  if (hex.length === 5 || hex.length === 7) return undefined;
  const long = hex.length <= 4 ? hex.replaceAll(/./g, '$&$&') : hex;
  const channel = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return { r: channel(0), g: channel(2), b: channel(4), a: long.length === 8 ? channel(6) / 255 : 1 };
}

function toAlpha(part: string | undefined): number {
  if (part === undefined) return 1;
  return Math.min(1, Math.max(0, Number.parseFloat(part) / (part.endsWith('%') ? 100 : 1)));
}

/** @param at position of the channel on the colour wheel, in twelfths */
function fromHue(
  hue: number,
  { a, at }: { readonly a: number; readonly at: (share: number) => number },
): Color {
  const channel = (offset: number): number => 255 * at((offset + hue / 30 + 120_000) % 12);
  return { r: channel(0), g: channel(8), b: channel(4), a };
}

function hslChannel(share: number, saturation: number, lightness: number): number {
  const span = saturation * Math.min(lightness, 1 - lightness);
  return lightness - span * Math.max(-1, Math.min(share - 3, 9 - share, 1));
}

function hwbChannel(share: number, whiteness: number, blackness: number): number {
  const total = whiteness + blackness;
  if (total >= 1) return whiteness / total;
  return hslChannel(share, 1, 0.5) * (1 - total) + whiteness;
}

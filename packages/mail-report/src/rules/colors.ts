// Colours of CSS and of old attributes, as far as mail uses them, and their contrast (WCAG 2.2).

/** Channels from 0 to 255; alpha from 0 to 1. */
export interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const named: ReadonlyMap<string, string> = new Map(
  (
    'black 000000 white ffffff red ff0000 green 008000 blue 0000ff yellow ffff00 gray 808080 grey 808080 silver c0c0c0 ' +
    'navy 000080 teal 008080 maroon 800000 purple 800080 olive 808000 lime 00ff00 aqua 00ffff cyan 00ffff ' +
    'fuchsia ff00ff magenta ff00ff orange ffa500 lightgray d3d3d3 lightgrey d3d3d3 darkgray a9a9a9 darkgrey a9a9a9 ' +
    'dimgray 696969 dimgrey 696969 whitesmoke f5f5f5 gainsboro dcdcdc snow fffafa ivory fffff0 beige f5f5dc pink ffc0cb ' +
    'gold ffd700 tomato ff6347 crimson dc143c indigo 4b0082 violet ee82ee brown a52a2a darkblue 00008b darkgreen 006400 ' +
    'darkred 8b0000 steelblue 4682b4 royalblue 4169e1 slategray 708090 ghostwhite f8f8ff aliceblue f0f8ff'
  )
    .match(/\b\w+ \w{6}/g)
    ?.map((pair): [string, string] => [pair.slice(0, -7), pair.slice(-6)]),
);
const rgb =
  /^rgba?\(\s?([\d.]{1,8})(%?)[\s,]{1,4}([\d.]{1,8})%?[\s,]{1,4}([\d.]{1,8})%?(?:[\s,/]{1,4}([\d.]{1,8})(%?))?\s?\)$/;

/** Returns undefined for anything else than a colour that is known. */
export function parseColor(text: string): Color | undefined {
  const value = text.trim().toLowerCase();
  if (value === 'transparent') return { r: 0, g: 0, b: 0, a: 0 };
  const hex = named.get(value) ?? /^#([0-9a-f]{3,8})$/.exec(value)?.[1] ?? /^[0-9a-f]{6}$/.exec(value)?.[0];
  if (hex !== undefined) return parseHex(hex);
  const [, r, percent, g, b, alpha, alphaPercent] = rgb.exec(value.replaceAll(/\s+/g, ' ')) ?? [];
  if (r === undefined || g === undefined || b === undefined) return undefined;
  const scale = percent === '%' ? 2.55 : 1;
  const channel = (part: string): number => Math.min(255, Number(part) * scale);
  const a = alpha === undefined ? 1 : Math.min(1, Number(alpha) / (alphaPercent === '%' ? 100 : 1));
  const color = { r: channel(r), g: channel(g), b: channel(b), a };
  return Object.values(color).some(Number.isNaN) ? undefined : color;
}

function parseHex(hex: string): Color | undefined {
  if (hex.length === 5 || hex.length === 7) return undefined;
  const long = hex.length <= 4 ? hex.replaceAll(/./g, '$&$&') : hex;
  const channel = (at: number): number => Number.parseInt(long.slice(at, at + 2), 16);
  return { r: channel(0), g: channel(2), b: channel(4), a: long.length === 8 ? channel(6) / 255 : 1 };
}

export function blend(front: Color, back: Color): Color {
  const mix = (one: number, other: number): number => one * front.a + other * (1 - front.a);
  return { r: mix(front.r, back.r), g: mix(front.g, back.g), b: mix(front.b, back.b), a: 1 };
}

/** From 1 to 21. */
export function contrastOf(text: Color, background: Color): number {
  const [one, other] = [luminanceOf(blend(text, background)), luminanceOf(background)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** From 0 to 1. */
export function luminanceOf({ r, g, b }: Color): number {
  const linear = (channel: number): number => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

export function toHex({ r, g, b }: Color): string {
  return `#${[r, g, b].map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}

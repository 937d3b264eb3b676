// Mayfly's mark, and other small drawings. Made of elements, never of markup: a page's policy has no say over them.

const svg = 'http://www.w3.org/2000/svg';

function draw(size: number, shapes: readonly Readonly<Record<string, string>>[]): SVGElement {
  const picture = document.createElementNS(svg, 'svg');
  picture.setAttribute('viewBox', `0 0 ${size} ${size}`);
  picture.setAttribute('aria-hidden', 'true');
  for (const shape of shapes) {
    const path = document.createElementNS(svg, 'path');
    for (const [name, value] of Object.entries(shape)) path.setAttribute(name, value);
    picture.append(path);
  }
  return picture;
}

/** The same as the page's favicon, without its tile. */
export function drawMark(): SVGElement {
  return draw(48, [
    { class: 'body', d: 'M13 32C6.5 22 7 11 10 3c7 2.5 12.5 9 12.5 16 0 5.5-2 10-5 13z' },
    {
      class: 'body',
      d: 'M4 34.5c0-3 3.2-4.3 5.5-3 3.5-1.5 7-1 10 .5 3.2 1.6 6 1 8.5-1.5l2 2c-3.5 4.6-8.5 5.3-12.5 3.6-2.8 1-5.5.8-8-.1-2.5 1.8-5.5.6-5.5-1.5z',
    },
    {
      class: 'line',
      d: 'M28.5 32C31.5 26 31.8 18 30 9M28.5 32C35 27.5 39 21 40.5 13M28.5 32c6.5 0 11.5-2.5 15.5-7M10.5 35.5 6.5 43.5M17 36l2.5 7.5',
    },
  ]);
}

export function drawCross(): SVGElement {
  return draw(16, [{ class: 'line', d: 'M4 4l8 8M12 4l-8 8' }]);
}

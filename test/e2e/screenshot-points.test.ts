// The pictures of `npm run screenshots` show every point, in light and dark, on a desk and on a phone.
import { expect, it } from 'vitest';

import { type Scheme, type Shape, shapes } from './screenshots/look.ts';
import { points, views } from './screenshots/points.ts';
import type { View } from './screenshots/stage.ts';

const looks = (['light', 'dark'] as const).flatMap((colorScheme) =>
  (Object.keys(shapes) as Shape[]).map((shape) => ({ shape, colorScheme })),
);

/** Keys belong to a desk; a swipe, with its undo, to both. */
const onlyDesktop = ['keys'];

function isIn(
  view: View | undefined,
  { shape, colorScheme }: { shape: Shape; colorScheme: Scheme },
): boolean {
  const { shapes: ownShapes = [shape], schemes = [colorScheme] } = view ?? { shapes: [] };
  return ownShapes.includes(shape) && schemes.includes(colorScheme);
}

it('has a view for each point in each look', () => {
  const named = new Map(views.map((view) => [view.name, view]));
  const missing = Object.entries(points).flatMap(([point, names]) =>
    looks
      .filter(({ shape }) => shape === 'desktop' || !onlyDesktop.includes(point))
      .filter((look) => !names.some((name) => isIn(named.get(name), look)))
      .map(({ shape, colorScheme }) => `${point}: ${shape}, ${colorScheme}`),
  );
  expect(missing).toEqual([]);
});

it('names each view once, and each for a point', () => {
  const names = views.map(({ name }) => name);
  expect(names.toSorted()).toEqual([...new Set(Object.values(points).flat())].toSorted());
});

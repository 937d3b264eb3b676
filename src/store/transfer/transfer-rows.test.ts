import { expect, it } from 'vitest';

import { formatCursor, parseCursor } from './transfer-rows.ts';

it('keeps a cursor of any values as text', () => {
  const cursor = [5, 'a', null, Buffer.from([0, 255])];
  expect(parseCursor(formatCursor(cursor))).toEqual(cursor);
});

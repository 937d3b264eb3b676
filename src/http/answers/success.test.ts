import { expect, it } from 'vitest';

import { jsonAnswer, writeSuccess } from './success.ts';

it('has the status first, and ends with a line feed', async () => {
  expect(jsonAnswer({ id: 1 }).body).toBe('{"status":"success","id":1}\n');
  expect((await writeSuccess('message', { a: undefined, b: 'x' })).toString()).toBe(
    '{"status":"success","message":{"b":"x"}}\n',
  );
});

// Setup for every test file: `toEqual` and `toStrictEqual` compare buffers as bytes. Vitest compares them element by
// element, which takes a minute for a large message on a busy machine.
import { expect } from 'vitest';

expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);

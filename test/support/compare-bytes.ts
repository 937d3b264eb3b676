// Setup for every test file: `toEqual` and `toStrictEqual` compare buffers as bytes. Vitest compares them element by
// element, which takes a minute for a large message on a busy machine.
import { expect } from 'vitest';

/** Vitest keeps testers for the life of the worker, which may run many files, and calls each for every value. */
const mark = Symbol.for('mayfly: buffers are compared as bytes');

if (!Object.hasOwn(globalThis, mark)) {
  Object.defineProperty(globalThis, mark, { value: true });
  expect.addEqualityTesters([(a, b) => (Buffer.isBuffer(a) && Buffer.isBuffer(b) ? a.equals(b) : undefined)]);
}

import { isValidElement, toChildArray } from 'preact';
import { expect, it } from 'vitest';

import { InlineCode } from './inline-code.tsx';

const childrenOf = (words: string) =>
  toChildArray(InlineCode({ words }).props.children).map((child) =>
    isValidElement(child) ? [child.type, child.props.children] : child,
  );

it('shows what backticks enclose as code', () => {
  expect(childrenOf('No domain. Add one: `mayfly domain add NAME`.')).toEqual([
    'No domain. Add one: ',
    ['code', 'mayfly domain add NAME'],
    '.',
  ]);
});

it('shows text without backticks as it is', () => {
  expect(childrenOf('All is well.')).toEqual(['All is well.']);
});

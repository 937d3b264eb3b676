// Shows text in which backticks enclose commands and settings, as the doctor's advice has them.
import type { VNode } from 'preact';

export function InlineCode({ words }: { readonly words: string }): VNode {
  return <>{words.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part))}</>;
}

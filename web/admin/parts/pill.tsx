// A state in a word; its colour says no more than the word.
import type { VNode } from 'preact';

export type Tone = 'good' | 'warning' | 'bad' | 'quiet' | 'waiting';

interface PillProps {
  readonly tone: Tone;
  readonly label: string;
}

export function Pill({ tone, label }: PillProps): VNode {
  return (
    <span class={`pill is-${tone}`}>
      <span class="pill-dot" />
      {label}
    </span>
  );
}

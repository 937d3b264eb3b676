// The code of a message that arrived while another was open, shown over that one until it is closed.
import { effect, signal } from '@preact/signals';

import type { MessageSummary } from '../api/answers.ts';
import type { Mailbox } from '../state/mailbox.ts';
import { openMessageId } from './navigation.ts';

export interface LateCode {
  readonly mailbox: Mailbox;
  readonly message: MessageSummary;
  readonly code: string;
}

export const lateCode = signal<LateCode | null>(null);

export function startLateCode(): void {
  effect(() => {
    if (openMessageId.value === null) dismissCode();
  });
}

/** @param arrived oldest first */
export function recordCode(mailbox: Mailbox, arrived: readonly MessageSummary[]): void {
  const message = arrived.findLast(({ code }) => code !== null);
  if (!message || message.code === null || openMessageId.value === null) return;
  lateCode.value = { mailbox, message, code: message.code };
}

export function dismissCode(): void {
  lateCode.value = null;
}

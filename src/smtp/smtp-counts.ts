// The receiver's metrics: connections, recipients and messages by answer. One per listener; the cells are looked up
// once, because every message updates them.

import type { RefusalStage } from '#mail-receiver/engine-step';
import { nameOf, type Reply } from '#mail-receiver/reply';
import type { Metrics } from '../observe/metrics.ts';
import { MessageTrace } from '#smtp-listener/message-trace';

const source = 'smtp';

export type RecipientAnswer = 'accepted' | 'invalid' | 'unknown' | 'foreign' | 'full' | 'failed' | 'limited';

export type AuthenticationAnswer = 'accepted' | 'wrong' | 'limited' | 'failed';

export class SmtpCounts {
  readonly #metrics: Metrics;
  readonly #accepted;
  readonly #recipientsAccepted;
  readonly #stored;
  readonly #storedBytes;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#accepted = metrics.smtpConnections.of('accepted');
    this.#recipientsAccepted = metrics.smtpRecipients.of('accepted');
    this.#stored = metrics.messages.of(source, 'stored', '');
    this.#storedBytes = metrics.messageBytes.of(source);
  }

  /** Returns a trace for the messages of one connection; undefined while traces are off. */
  createTrace(connection: string): MessageTrace | undefined {
    const { traces } = this.#metrics;
    return traces && new MessageTrace(traces, connection);
  }

  recordConnection(): void {
    this.#accepted.value += 1;
  }

  recordConnectionRefused(reply: Reply): void {
    this.#metrics.smtpConnections.of(nameOf(reply)).value += 1;
  }

  /** Counts a command that was refused before a recipient was accepted. */
  recordCommandRefused(stage: RefusalStage, reply: Reply): void {
    this.#metrics.smtpCommandsRefused.of(stage, nameOf(reply)).value += 1;
  }

  /** Counts an accepted connection that was ended for a newcomer. */
  recordEvicted(): void {
    this.#metrics.smtpConnections.of('evicted').value += 1;
  }

  recordRecipient(answer: RecipientAnswer): void {
    const cell = answer === 'accepted' ? this.#recipientsAccepted : this.#metrics.smtpRecipients.of(answer);
    cell.value += 1;
  }

  recordAuthentication(answer: AuthenticationAnswer): void {
    this.#metrics.smtpAuthentications.of(answer).value += 1;
  }

  recordStored(sizeBytes: number): void {
    this.#stored.value += 1;
    this.#storedBytes.value += sizeBytes;
  }

  /** Counts a message that was delivered to no recipient; after a 4yz reply the sender comes back. */
  recordRefused(reply: Reply): void {
    const outcome = reply.startsWith('4') ? 'deferred' : 'refused';
    this.#metrics.messages.of(source, outcome, nameOf(reply)).value += 1;
  }

  /** Records the time from the end of a message to its reply. */
  recordReceiveTime(ms: number): void {
    this.#metrics.receiveSeconds.observe(ms / 1000);
  }

  recordHandshake(outcome: 'done' | 'failed'): void {
    this.#metrics.smtpHandshakes.of(outcome).value += 1;
  }
}

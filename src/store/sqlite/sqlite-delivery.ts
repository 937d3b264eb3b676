// One message for one session on its way through the group commit: written in this thread, or handed to the one for
// deliveries. Made by SqliteMailStore.

import type { Delivery, DeliveryOutcome, PlainDelivery } from '../mail-store.ts';
import type { DeliveryThread } from './delivery-thread.ts';
import type { MessageRows } from './message-rows.ts';
import type { SessionRow, SessionRows } from './session-rows.ts';
import type { DeliveryWrite } from './waiting-delivery.ts';

export interface SqliteDeliveryParts {
  readonly messages: MessageRows;
  readonly sessions: SessionRows;
  readonly clock: () => number;
}

export class SqliteDelivery implements DeliveryWrite<DeliveryOutcome> {
  readonly bytes: number;
  readonly #delivery: Delivery;
  readonly #plain: PlainDelivery;
  readonly #parts: SqliteDeliveryParts;
  #id = 0;
  #row: SessionRow | undefined;
  #receivedAt = 0;

  constructor(delivery: Delivery, plain: PlainDelivery, parts: SqliteDeliveryParts) {
    this.bytes = plain.meta.length + plain.raw.sizeBytes;
    this.#delivery = delivery;
    this.#plain = plain;
    this.#parts = parts;
  }

  work(): DeliveryOutcome {
    const { messages, clock } = this.#parts;
    return messages.deliver(this.#delivery, clock());
  }

  addTo(thread: DeliveryThread): boolean {
    const { messages, clock } = this.#parts;
    this.#receivedAt = clock();
    const row = messages.handOver(this.#delivery.key, this.#plain, { thread, now: this.#receivedAt });
    this.#row = row;
    this.#id = row?.seq ?? 0;
    return row !== undefined;
  }

  onLanded(): void {
    if (this.#row) this.#parts.sessions.confirm(this.#row);
  }

  toResult(): DeliveryOutcome {
    return { outcome: 'stored', id: this.#id, receivedAt: this.#receivedAt };
  }

  onLeftOut(): void {
    this.#parts.sessions.forget(this.#delivery.key);
  }
}

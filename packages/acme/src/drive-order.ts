// Runs the machine of an order against a server. The only loop around it besides those of tests.

import type { AcmeAnswer, AcmeClient } from './acme-client.ts';
import type { OrderMachine, PresentedChallenge } from './run-order.ts';

export interface OrderSurroundings {
  readonly client: Pick<AcmeClient, 'post'>;
  readonly accountUrl: string;
  readonly keepOrder: (orderUrl: string) => Promise<void>;
  /** Resolves when every answer can be read from outside. */
  readonly present: (challenges: readonly PresentedChallenge[]) => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
}

const nothing: AcmeAnswer = { json: undefined, text: '', location: undefined, retryAfterMs: undefined };

/** Rejects with the machine's errors, and with those of the surroundings. */
export async function driveOrder(machine: OrderMachine, surroundings: OrderSurroundings): Promise<string> {
  const { client, accountUrl, keepOrder, present, wait } = surroundings;
  let result = machine.next();
  while (result.done !== true) {
    const step = result.value;
    switch (step.kind) {
      case 'post':
        result = await client.post(accountUrl, step.url, step.payload).then(
          (answer) => machine.next(answer),
          (error: unknown) => machine.throw(error),
        );
        break;
      case 'keep':
        await keepOrder(step.orderUrl);
        result = machine.next(nothing);
        break;
      case 'present':
        await present(step.challenges);
        result = machine.next(nothing);
        break;
      case 'wait':
        await wait(step.ms);
        result = machine.next(nothing);
        break;
    }
  }
  return result.value;
}

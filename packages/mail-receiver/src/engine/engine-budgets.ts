// Limits the wrong commands and guessed recipients of one dialogue. Owned by the engine.

import type { SmtpEngineSettings } from '../engine-step.ts';
import { replies, type Reply } from '../reply.ts';

export type Budget = 'badCommands' | 'unknownRecipients';

export class EngineBudgets {
  #badCommandsLeft: number;
  #unknownRecipientsLeft: number;

  constructor(settings: Pick<SmtpEngineSettings, 'badCommandsMax' | 'unknownRecipientsMax'>) {
    this.#badCommandsLeft = settings.badCommandsMax;
    this.#unknownRecipientsLeft = settings.unknownRecipientsMax;
  }

  /** Returns the reply that ends the dialogue; undefined while it may go on. */
  spend(budget: Budget): Reply | undefined {
    if (budget === 'badCommands') {
      this.#badCommandsLeft -= 1;
      return this.#badCommandsLeft <= 0 ? replies.tooManyErrors : undefined;
    }
    this.#unknownRecipientsLeft -= 1;
    return this.#unknownRecipientsLeft <= 0 ? replies.tooManyUnknown : undefined;
  }
}

// Common to the readers of both forms.

import type { TextTaker } from './json-reader.ts';

/** Returns where the field goes; undefined to skip it. */
export type FindField = (name: string) => TextTaker | undefined;

export interface FormReader {
  /** @throws InboundRefusal */
  push(input: Buffer): void;
  /** @throws InboundRefusal when the form broke off */
  end(): void;
}

/** More than any provider posts, attachments included. */
export const fieldsMax = 2000;

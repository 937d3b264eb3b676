// The views' line to the worker.
import type { Failure, FromView } from './messages.ts';

/** @throws Error with words for the person */
export async function askWorker<Answer>(message: FromView): Promise<Answer> {
  const answer: unknown = await chrome.runtime.sendMessage(message);
  if (typeof answer === 'object' && answer !== null && 'failure' in answer) {
    throw new Error((answer as Failure).failure);
  }
  return answer as Answer;
}

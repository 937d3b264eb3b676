// The content script. Runs apart from the page's own scripts, once in each frame, however often it is brought there.
import type { Press } from '../shared/messages.ts';
import { PageFrame } from './frame.ts';

const place = globalThis as { mayfly?: PageFrame };

if (!place.mayfly && document.documentElement instanceof HTMLElement) {
  const frame = new PageFrame();
  place.mayfly = frame;
  chrome.runtime.onMessage.addListener((message: Press, _sender, respond) => {
    void frame.press(message).then(() => {
      respond(true);
    });
    return true;
  });
}

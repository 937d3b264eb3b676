// The content of a view, and a line for what has failed.
import { element } from '../shared/element.ts';

const main = element('main', location.hash === '#popup' ? 'popup' : 'options');
document.body.append(main);

export function show(...parts: readonly HTMLElement[]): void {
  main.replaceChildren(...parts);
}

export function fail(error: unknown): void {
  tell(error instanceof Error ? error.message : String(error));
}

/** Says below the content that something did not work. */
export function tell(words: string): void {
  document.querySelector('.failure')?.remove();
  const line = element('p', 'failure', words);
  line.role = 'alert';
  main.append(line);
}

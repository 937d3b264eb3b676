// Mayfly's mark at the head of a page.
import { element } from '../shared/element.ts';

export function mark(): HTMLElement {
  const picture = element('img', 'mark');
  picture.src = 'icon-128.png';
  picture.alt = '';
  return picture;
}

// The only script of a framed message. It is ours, precedes all of the sender's content, and runs because the policy
// contains its hash; nothing else in the document runs. The page that shows the frame reads its reports, and may tell it
// how to show the message: the messages between them are the pieces' `tell`, and `listen` below.
import { createHash } from 'node:crypto';

import { colours, colourStyle } from './script/colours.ts';
import { folds, foldStyle } from './script/folds.ts';
import { links } from './script/links.ts';
import { report } from './script/report.ts';
import { width, widthStyle } from './script/width.ts';

const listen = `
addEventListener('DOMContentLoaded', () => {
  fold();
  paint();
  fit();
});
addEventListener('message', ({ source, data }) => {
  if (source !== page || typeof data !== 'object' || data === null || data.kind !== 'show') return;
  if (typeof data.quoted === 'string') foldWords = data.quoted;
  nameFolds();
  openNeeded(data);
  if (['auto', 'dark', 'light'].includes(data.scheme) && data.scheme !== scheme) {
    scheme = data.scheme;
    paint();
  }
  if (typeof data.isReadable === 'boolean' && data.isReadable !== isReadable) {
    isReadable = data.isReadable;
    fit();
  }
});`;

export const frameScript = `(() => {${[report, width, colours, folds, links, listen].join('')}\n})();`;

/** In the form for script-src. */
export const frameScriptSource = `'sha256-${createHash('sha256').update(frameScript).digest('base64')}'`;

/**
 * A frame as high as its message has no height of its own to fill: what would be as high as the frame is as high as its
 * content, or as a window of usual height.
 * @param viewportUnit the custom property by which the sanitiser replaces a hundredth of the window's height
 */
export function createFrameStyle(viewportUnit: string): string {
  return (
    `:root{${viewportUnit}:7px}html:root,html:root>body{height:fit-content!important;min-height:0!important}` +
    widthStyle +
    colourStyle +
    foldStyle
  );
}

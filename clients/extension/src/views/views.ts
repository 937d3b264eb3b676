// The extension's own pages: one document, which is the options or the popup by its class.
import { direction } from '../shared/texts.ts';
import { showOptions } from './options.ts';
import { showPopup } from './popup.ts';

document.documentElement.lang = chrome.i18n.getUILanguage();
document.documentElement.dir = direction();
const isPopup = location.hash === '#popup';
document.body.className = isPopup ? 'popup' : 'options';
void (isPopup ? showPopup() : showOptions());

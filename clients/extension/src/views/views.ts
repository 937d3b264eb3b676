// The extension's own pages: one document, which is the options or the popup by its class.
import { direction } from '../shared/texts.ts';
import { fail } from './main.ts';
import { showOptions } from './options.ts';
import { showPopup } from './popup.ts';

document.documentElement.lang = chrome.i18n.getUILanguage();
document.documentElement.dir = direction();
(location.hash === '#popup' ? showPopup() : showOptions()).catch(fail);

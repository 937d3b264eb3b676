// The background worker: alone has tokens and speaks to the service. The browser ends it after thirty idle seconds and
// starts it for the next event, so every listener is added at once, and nothing is only in memory.
import type { FromView } from '../shared/messages.ts';
import { followTabs } from './entered-tabs.ts';
import { acceptFrame } from './frames.ts';
import { registerIcon, setUpButton } from './icon-places.ts';
import { pressButton } from './toolbar.ts';
import { answerView } from './views.ts';

chrome.runtime.onConnect.addListener(acceptFrame);

chrome.runtime.onMessage.addListener((message: FromView, sender, respond) => {
  // Content scripts speak through their ports, with fewer words.
  if (sender.id !== chrome.runtime.id || !sender.url?.startsWith(chrome.runtime.getURL(''))) return false;
  void answerView(message).then(respond);
  return true;
});

chrome.action.onClicked.addListener((tab) => {
  void pressButton(tab);
});

chrome.commands.onCommand.addListener((_name, tab) => {
  if (tab) void pressButton(tab);
});

chrome.runtime.onInstalled.addListener(({ reason }) => {
  setUp();
  if (reason === 'install') void chrome.runtime.openOptionsPage();
});
chrome.runtime.onStartup.addListener(setUp);
chrome.permissions.onAdded.addListener(() => void registerIcon());
chrome.permissions.onRemoved.addListener(() => void registerIcon());
void followTabs();
// It has the API key, which content scripts have no use for. Firefox lacks the call.
void (chrome.storage.local as Partial<chrome.storage.StorageArea>).setAccessLevel?.({
  accessLevel: 'TRUSTED_CONTEXTS',
});

/** Restores what the browser forgets when it ends, or when the extension is updated. */
function setUp(): void {
  void setUpButton();
  void registerIcon();
}

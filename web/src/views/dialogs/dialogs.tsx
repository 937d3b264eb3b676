// The dialogs over the page, one at a time. A chunk of its own.
import type { VNode } from 'preact';

import { dialog } from '../../app/navigation.ts';
import type { Mailbox } from '../../state/mailbox.ts';
import '../../style-dialogs.ts';
import { AddressesDialog } from './addresses-dialog.tsx';
import { CreateDialog } from './create-dialog.tsx';
import { EndDialog } from './end-dialog.tsx';
import { KeysDialog } from './keys-dialog.tsx';
import { LabelDialog } from './label-dialog.tsx';
import { lazyDialog } from '../parts/lazy.tsx';
import { LogDialog } from './log-dialog.tsx';
import { OfferDialog } from './offer-dialog.tsx';
import { PictureDialog } from '../reader/picture-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { ShareDialog } from './share-dialog.tsx';

const KeepDialog = lazyDialog(async () => (await import('./keep-dialog.tsx')).KeepDialog);

/** @param mailbox the current address, null once it has ended */
export function Dialogs({ mailbox }: { readonly mailbox: Mailbox | null }): VNode | null {
  switch (dialog.value) {
    case 'create':
      return <CreateDialog />;
    case 'addresses':
      return <AddressesDialog />;
    case 'offer':
      return <OfferDialog />;
    case 'settings':
      return <SettingsDialog />;
    case 'keys':
      return <KeysDialog />;
    case 'keep':
      return <KeepDialog />;
    case 'label':
      return mailbox && <LabelDialog mailbox={mailbox} />;
    case 'share':
      return mailbox && <ShareDialog mailbox={mailbox} />;
    case 'end':
      return mailbox && <EndDialog mailbox={mailbox} />;
    case 'log':
      return mailbox && <LogDialog mailbox={mailbox} />;
    case 'picture':
      return <PictureDialog />;
    case null:
      return null;
  }
}

// The icons that this page alone has, drawn as those of the page for readers.
import {
  Ban,
  AtSign,
  ClipboardList,
  ChartColumn,
  Fingerprint,
  Globe,
  Inbox,
  type IconNode,
  KeyRound,
  LayoutDashboard,
  LogOut,
  RefreshCw,
  ScrollText,
  ShieldX,
  SlidersHorizontal,
  UsersRound,
  Webhook,
} from 'lucide';
import type { VNode } from 'preact';

import { drawIcon } from '../../src/icons/icon.tsx';

const drawings = {
  overview: LayoutDashboard,
  domains: Globe,
  sessions: UsersRound,
  deliveries: Inbox,
  refusals: ShieldX,
  statistics: ChartColumn,
  keys: KeyRound,
  passkeys: Fingerprint,
  blocks: Ban,
  gmail: AtSign,
  webhooks: Webhook,
  settings: SlidersHorizontal,
  audit: ClipboardList,
  log: ScrollText,
  leave: LogOut,
  again: RefreshCw,
} satisfies Readonly<Record<string, IconNode>>;

export type PlaceIconName = keyof typeof drawings;

export function PlaceIcon({ name }: { readonly name: PlaceIconName }): VNode {
  return drawIcon(name, drawings[name]);
}

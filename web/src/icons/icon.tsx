// The app's icons: Lucide's (ISC), named for their meaning here. An icon always stands beside words for screen
// readers, so all icons are hidden from them. `lucide` gives them as data; `lucide-preact` would add 2.6 KB.
import {
  ArrowLeft,
  Bell,
  Check,
  ChevronDown,
  ChevronUp,
  CircleX,
  ClipboardPaste,
  Clock,
  Code,
  Copy,
  Download,
  Ellipsis,
  ExternalLink,
  Eye,
  File,
  type IconNode,
  Image,
  Keyboard,
  List,
  Mail,
  MailOpen,
  Maximize,
  Minimize,
  Paperclip,
  Plus,
  Printer,
  QrCode,
  Search,
  ShieldAlert,
  ShieldCheck,
  SlidersHorizontal,
  SquareCheck,
  Tag,
  Trash2,
  TriangleAlert,
  X,
} from 'lucide';
import { h, type VNode } from 'preact';

export const drawings = {
  back: ArrowLeft,
  bell: Bell,
  check: Check,
  clip: Paperclip,
  clock: Clock,
  close: X,
  code: Code,
  copy: Copy,
  down: ChevronDown,
  download: Download,
  end: CircleX,
  expand: Maximize,
  eye: Eye,
  file: File,
  image: Image,
  keyboard: Keyboard,
  label: Tag,
  list: List,
  mail: Mail,
  more: Ellipsis,
  open: ExternalLink,
  opened: MailOpen,
  paste: ClipboardPaste,
  plus: Plus,
  print: Printer,
  proven: ShieldCheck,
  qr: QrCode,
  search: Search,
  select: SquareCheck,
  settings: SlidersHorizontal,
  shrink: Minimize,
  trash: Trash2,
  unproven: ShieldAlert,
  up: ChevronUp,
  warning: TriangleAlert,
} satisfies Readonly<Record<string, IconNode>>;

export type IconName = keyof typeof drawings;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return drawIcon(name, drawings[name]);
}

/** `name` is for style sheets alone. */
export function drawIcon(name: string, drawing: IconNode): VNode {
  const parts = drawing.map(([tag, attributes]) => h(tag, attributes));
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {parts}
    </svg>
  );
}

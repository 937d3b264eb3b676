// A view of the sender's own markup: where its inline pictures lead, and what it may do.

import type { Attachment } from '@mayfly/mail-reader';

const link = /(=["']?)cid:([^"'\s/>;|\\]{1,998})(?=["'\s/>;|\\])/gi;

/** Leads `cid:` in attributes to the message's parts, as Mailpit does; `parts` is the path of all of them. */
export function linkInlineParts(html: string, files: readonly Attachment[], parts: string): string {
  const byContentId = new Map<string, string>();
  for (const { contentId, id } of files) {
    const key = contentId?.toLowerCase();
    if (key && !byContentId.has(key)) byContentId.set(key, id);
  }
  if (byContentId.size === 0) return html;
  return html.replace(link, (whole, before: string, contentId: string) => {
    const part = byContentId.get(contentId.toLowerCase());
    return part === undefined ? whole : before + parts + part;
  });
}

/**
 * Nothing runs, shares this origin, or loads but what lies below `parts`. Not the whole origin: a picture's address
 * could be any route of this listener.
 */
export function rawMarkupPolicy(parts: string): string {
  const own = /^https?:\/\/[\w.:[\]-]+\/[\w/-]+$/.test(parts) ? ` ${parts}` : '';
  return `sandbox; default-src 'none'; img-src data:${own}; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'`;
}

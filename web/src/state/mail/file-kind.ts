// Names an attachment's kind of file in a familiar word. Pure.

/** Returns the extension in capitals, else a name for the type; '' for neither. */
export function toFileKind(filename: string, contentType: string): string {
  const [, ending] = /\.([a-z\d]{1,5})$/i.exec(filename) ?? [];
  if (ending !== undefined) return ending.toUpperCase();
  const [, kind = ''] = /^(?:image|audio|video|text|font)\/(?:x-)?([a-z\d]{2,5})$/i.exec(contentType) ?? [];
  if (kind !== '') return kind.toUpperCase();
  return /^application\/(pdf|zip)$/i.exec(contentType)?.[1]?.toUpperCase() ?? '';
}

// What kind of file an attachment is, in a word that people know. Pure.

/** The ending of its name in capitals; without one what its type says; '' where that says nothing. */
export function toFileKind(filename: string, contentType: string): string {
  const [, ending] = /\.([a-z\d]{1,5})$/i.exec(filename) ?? [];
  if (ending !== undefined) return ending.toUpperCase();
  const [, kind = ''] = /^(?:image|audio|video|text|font)\/(?:x-)?([a-z\d]{2,5})$/i.exec(contentType) ?? [];
  if (kind !== '') return kind.toUpperCase();
  return /^application\/(pdf|zip)$/i.exec(contentType)?.[1]?.toUpperCase() ?? '';
}

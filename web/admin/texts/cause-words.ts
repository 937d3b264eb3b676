// The names of replies, as the service counts them, as words.

/** `connection_too_many_from_address` → `connection too many from address` */
export function causeWords(name: string): string {
  return name.replaceAll('_', ' ');
}

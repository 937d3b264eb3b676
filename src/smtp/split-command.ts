// A command line's verb and what follows it (RFC 5321 §2.4). Used by the engine.

const capitals = /^[A-Z]+$/;

/** `verb`: in capitals. */
export function splitCommand(line: string): { readonly verb: string; readonly rest: string } {
  const space = line.indexOf(' ');
  const word = space < 0 ? line : line.slice(0, space);
  // Nearly all senders write capitals, and folding them costs more than all else here.
  const verb = capitals.test(word) ? word : word.toUpperCase();
  return { verb, rest: space < 0 ? '' : line.slice(space + 1).trim() };
}

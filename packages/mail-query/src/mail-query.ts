// Parses the text of a search. Whatever looks like an operator without being one is a word, so that a slip finds nothing
// rather than everything: the same text also selects mail to delete.

export interface MailQuery {
  /** Words and phrases that may stand anywhere. */
  readonly words: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly subject: readonly string[];
  readonly has: readonly Possession[];
  readonly is: readonly ReadState[];
}

export type Possession = 'code' | 'attachment';
export type ReadState = 'read' | 'unread';

/**
 * An operator may have white space after its colon, and the colon may be that of Chinese and Japanese keyboards; phones
 * write curly quotation marks. A phrase without its second mark reaches to the end.
 */
const term =
  /(?:(from|to|subject|has|is)[:：]\s*)?(?:["“”„«»]([^"“”„«»]*)(?:["“”„«»]|$)|([^\s"“”„«»]\S*))/giu;
/** The operator at the end whose value is still being written. */
const unfinished = /(?:^|\s)(from|to|subject|has|is)[:：]\s*(\p{L}*)$/iu;

const possessions = { code: 'code', attachment: 'attachment', attachments: 'attachment' } as const;
const readStates = { read: 'read', unread: 'unread' } as const;

export function parseMailQuery(text: string): MailQuery {
  const query = {
    words: [] as string[],
    from: [] as string[],
    to: [] as string[],
    subject: [] as string[],
    has: [] as Possession[],
    is: [] as ReadState[],
  };
  for (const [whole, operator = '', phrase, word = ''] of text.matchAll(term)) {
    const name = operator.toLowerCase();
    const value = (phrase ?? word).trim();
    const choice = value.toLowerCase();
    if (value !== '' && (name === 'from' || name === 'to' || name === 'subject')) query[name].push(value);
    else if (name === 'has' && isKeyOf(possessions, choice)) query.has.push(possessions[choice]);
    else if (name === 'is' && isKeyOf(readStates, choice)) query.is.push(readStates[choice]);
    else if (name !== '') query.words.push(whole.trim());
    else if (value !== '') query.words.push(value);
  }
  return query;
}

/** Reports whether the text sets any condition; one of marks and spaces alone sets none. */
export function isMailQuery(query: MailQuery): boolean {
  return Object.values(query).some((conditions: readonly string[]) => conditions.length > 0);
}

/** Returns the text without an operator at its end that has no full value yet, for lists that change with every key. */
export function dropUnfinished(text: string): string {
  const found = unfinished.exec(text);
  if (!found) return text;
  const [, operator = '', value = ''] = found;
  const values = { has: possessions, is: readStates }[operator.toLowerCase()];
  const isFinished = values ? isKeyOf(values, value.toLowerCase()) : value !== '';
  return isFinished ? text : text.slice(0, found.index);
}

function isKeyOf<Table extends object>(table: Table, key: string): key is Extract<keyof Table, string> {
  return Object.hasOwn(table, key);
}

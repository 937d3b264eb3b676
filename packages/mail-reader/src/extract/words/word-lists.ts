// The shape of one language's keywords. Read by match-words.ts; the files beside this one hold only data.
// Each list is words parted by commas or line ends, in any case, with the language's own letters.
// `*` before or after a word lets letters go on there (compounds, endings); without it whole words match.
// Spellings without accents are added by the reader for words of five letters or more.

export interface WordLists {
  /** Names of a one-time code that leave no doubt: "verification code". */
  readonly code: string;
  /** Words that may name one: "code". */
  readonly weak: string;
  /** Names of a PIN, of a temporary password, of recovery codes. */
  readonly pin: string;
  readonly password: string;
  readonly backup: string;
  /** Codes of a card payment on receipts; now and then a one-time code is called so as well. */
  readonly approval: string;
  /** What such a mail is about: sign in, confirm, verify. */
  readonly act: string;
  /** Asks the reader to type or use something; words for its digits. */
  readonly enter: string;
  /** Verbs of typing that stand right before what is typed ("enter 123456"), and right after it ("123456 girin"). */
  readonly typeNext: string;
  readonly typeLast: string;
  /** Joins a name to its value: "is". */
  readonly copula: string;
  /** Names of other numbers: order, invoice, telephone, postcode, error code. */
  readonly other: string;
  /** Says that the last digits of a card or telephone number follow (or went before). */
  readonly ending: string;
  /** Words of journeys and meetings, whose codes are references or shared. */
  readonly occasion: string;
  /** Names of codes that give a discount or are shared with many. */
  readonly coupon: string;
  /** What is counted or measured beside a number: minutes, items, currencies by name. */
  readonly unit: string;
  readonly month: string;
  /** Says that what follows (or went before) only shows the form: "for example". */
  readonly example: string;
  /** Says that a code is out of use. */
  readonly stale: string;
  /** Says that something is valid for a time. */
  readonly valid: string;
  /** Says that the code stands in the subject. */
  readonly inSubject: string;
  readonly verifyLink: string;
  readonly loginLink: string;
  readonly resetLink: string;
  readonly inviteLink: string;
  readonly unsubscribeLink: string;
  /** Labels of pages that explain: help, privacy, terms, contact. */
  readonly helpLink: string;
}

// The shape of one language's keywords. Read by match-words.ts; the files beside this one hold only data.
// Each list is words parted by commas or line ends, in any case, with the language's own letters.
// `*` before or after a word lets letters go on there (compounds, endings); without it whole words match.
// Spellings without accents are added by the reader for words of five letters or more.

export interface WordLists {
  /** Names of a one-time code that leave no doubt: "verification code". */
  code: string;
  /** Words that may name one: "code". */
  weak: string;
  /** Names of a PIN, of a temporary password, of recovery codes. */
  pin: string;
  password: string;
  backup: string;
  /** Codes of a card payment on receipts; now and then a one-time code is called so as well. */
  approval: string;
  /** What such a mail is about: sign in, confirm, verify. */
  act: string;
  /** Asks the reader to type or use something; words for its digits. */
  enter: string;
  /** Verbs of typing that stand right before what is typed ("enter 123456"), and right after it ("123456 girin"). */
  typeNext: string;
  typeLast: string;
  /** Joins a name to its value: "is". */
  copula: string;
  /** Names of other numbers: order, invoice, telephone, postcode, error code. */
  other: string;
  /** Says that the last digits of a card or telephone number follow (or went before). */
  ending: string;
  /** Words of journeys and meetings, whose codes are references or shared. */
  occasion: string;
  /** Names of codes that give a discount or are shared with many. */
  coupon: string;
  /** What is counted or measured beside a number: minutes, items, currencies by name. */
  unit: string;
  month: string;
  /** Says that what follows (or went before) only shows the form: "for example". */
  example: string;
  /** Says that a code is out of use. */
  stale: string;
  /** Says that something is valid for a time. */
  valid: string;
  /** Says that the code stands in the subject. */
  inSubject: string;
  verifyLink: string;
  loginLink: string;
  resetLink: string;
  inviteLink: string;
  unsubscribeLink: string;
  /** Labels of pages that explain: help, privacy, terms, contact. */
  helpLink: string;
}

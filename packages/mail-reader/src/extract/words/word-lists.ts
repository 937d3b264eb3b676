// The form of one language's keywords. Read by match-words.ts; the files beside this one hold only data. Each list is
// words separated by commas or line breaks, in any case, in the language's own letters. `*` before or after a word
// allows letters there (compounds, endings); otherwise whole words match. The reader adds spellings without accents
// for words of five letters or more.

export interface WordLists {
  /** Unmistakable names of a one-time code: "verification code". */
  readonly code: string;
  /** Words that may name one: "code". */
  readonly weak: string;
  /** Names of a PIN, of a temporary password, of recovery codes. */
  readonly pin: string;
  readonly password: string;
  readonly backup: string;
  /** Codes of a card payment on receipts, a name sometimes used for one-time codes. */
  readonly approval: string;
  /** The purpose of such mail: sign in, confirm, verify. */
  readonly act: string;
  /** Asks the reader to type or use something; words for its digits. */
  readonly enter: string;
  /** Verbs of typing directly before what is typed ("enter 123456"), and directly after it ("123456 girin"). */
  readonly typeNext: string;
  readonly typeLast: string;
  /** Joins a name to its value: "is". */
  readonly copula: string;
  /** Names of other numbers: order, invoice, telephone, postcode, error code. */
  readonly other: string;
  /** Introduces the last digits of a card or telephone number (or follows them). */
  readonly ending: string;
  /** Words of journeys and meetings, whose codes are references or shared. */
  readonly occasion: string;
  /** Names of codes that give a discount or are shared with many. */
  readonly coupon: string;
  /** Things counted or measured beside a number: minutes, items, currencies by name. */
  readonly unit: string;
  readonly month: string;
  /** Marks what follows (or precedes) as an example of the form: "for example". */
  readonly example: string;
  /** Says that a code has expired. */
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
  /** Labels of explanatory pages: help, privacy, terms, contact. */
  readonly helpLink: string;
}
